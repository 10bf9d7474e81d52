// Made by `npm run docs` from src-server/contract: change it there.

/** A page of a list, and how many there are in all. */
export interface List<T> {
  items: Array<T>;
  total: number;
}

/** Status of the emulator. `uptimeSeconds` is in seconds; `seq` counts every change. */
export interface Status {
  name: "stagedoor";
  version: string;
  pid: number;
  urls: {
    admin: string;
    auth: string;
    console: string;
    lan: Array<string>;
  };
  dataDir: string | null;
  durability: "process" | "disk" | "memory";
  uptimeSeconds: number;
  seq: number;
  counts: {
    apps: number;
    profiles: number;
    passcodes: number;
    sessions: number;
    connections: number;
  };
  /** Only if a join token is set: others may create leased apps with it. */
  joinToken?: true;
}

/** Settings of an app; absent ones have their default. */
export interface Settings {
  /** The value of `phone` in the response to an update that set the phone (D11). */
  updateResponsePhone?: "null" | "value";
  /** lenient: invalid names, phones, emails and metadata are stored, with a warning in the request log (D5, D6, D7, D8). */
  validation?: "strict" | "lenient";
  /** closed: new usernames are rejected with 403 (D32). */
  signUp?: "open" | "closed";
  /** Passcodes of this app. */
  passcode?: {
    /** Number of digits (D24). */
    length?: number;
    /** Lifetime of a passcode in seconds (D24). */
    ttlSeconds?: number;
    /** Wrong attempts until a passcode is locked (D24). */
    maxAttempts?: number;
    /** The same passcode for every user; null: random passcodes (D24). */
    fixed?: string | null;
    /** valid: an older passcode still works after a newer one was sent, until it is used or expires (D24). */
    previous?: "replaced" | "valid";
  };
  /** Sessions of this app. */
  session?: {
    /** Lifetime of a session in seconds (D28). */
    ttlSeconds?: number;
    /** The value of `expiration`: UNIX seconds, UNIX milliseconds, or the seconds that are left (D28). */
    expiration?: "seconds" | "milliseconds" | "ttl";
  };
  /** Session tokens of this app. */
  token?: {
    /** The claim `iss`; null: the auth URL (D29). */
    issuer?: string | null;
    /** The claim `aud`; null: the admin URL (D29). */
    audience?: string | null;
    /** The signing algorithm. HS256 uses the app secret, which must have at least 32 bytes. With `--signing-key`, the default is the algorithm of that key (D29). */
    algorithm?: "ES256" | "RS256" | "EdDSA" | "HS256";
    /** Claims that are added to every token of the app. Strings can contain {userId}, {name}, {phone}, {email} and {metadata.<key>}. See tokens.md (D29). */
    claims?: Record<string, unknown>;
  };
  /** The shape of session requests and responses, for clients that use other names. */
  wire?: {
    /** The key that wraps the request body; null: no envelope (D21). */
    envelope?: string | null;
    /** The field with the app id (D21). */
    appIdField?: string;
    /** The field with the user; null: the user's fields are next to the app id (D21). */
    userField?: string | null;
    /** The field with the passcode, or a path such as user.otp (D21). */
    passcodeField?: string;
    /** The status of a sign-up (D21). */
    signUpStatus?: 200 | 201;
    /** The status of a successful authentication (D21). */
    authenticateStatus?: 200 | 201;
  };
  /** Allows GET and DELETE of /v1/users/session with the session token (D30). */
  sessionExtensions?: boolean;
  /** Rate limits. Requests beyond a limit are rejected with 429 and Retry-After. */
  limits?: {
    /** Passcodes per username and minute; null: no limit (D31). */
    otpPerMinute?: number | null;
    /** Session requests of the app per minute; null: no limit (D31). */
    requestsPerMinute?: number | null;
  };
  /** The message with a passcode. */
  message?: {
    /** The text message. {code}, {app}, {minutes}, {androidHash} and {domain} are replaced. Autofill lines are validated (D24). */
    sms?: string;
    /** The email. {code}, {app} and {minutes} are replaced (D24). */
    email?: string;
    /** The value of {androidHash}: the hash that Android's SMS Retriever uses to find your app (D24). */
    androidHash?: string | null;
    /** The value of {domain}: the host of a domain-bound code (Apple, WebOTP) (D24). */
    domain?: string | null;
  };
  /** Delivery to emulators and simulators on this machine. While it is off, Stagedoor starts no program. */
  delivery?: {
    /** Also sends text messages to every running Android emulator with `adb` (D24). */
    android?: boolean;
    /** Copies the code of a text message to the pasteboard of every booted iOS simulator with `xcrun simctl` (D24). */
    ios?: boolean;
    /** With `delivery.ios`: the app that shows the message as a notification; null: no notification (D24). */
    iosBundleId?: string | null;
  };
  /** How the demo app looks at `/emulator/demo/`. */
  brand?: {
    /** The name that the demo app shows; null: the name of the app (D22). */
    name?: string | null;
    /** The color of the demo app, such as #1b6e3c; null: Stagedoor's (D22). */
    color?: string | null;
    /** The logo of the demo app: a data: URL of at most 64 KiB, PNG, JPEG or WebP; null: none (D22). */
    logo?: string | null;
  };
  /** Which profiles the service accepts. */
  profile?: {
    /** The fields that a new profile must have (D1). */
    required?: Array<"name" | "phone" | "email">;
    /** both: phone and email are each unique within the app, whichever users sign in with (D9). */
    unique?: "username" | "both";
  };
  /** Updates of a profile. */
  update?: {
    /** What a field that is null does: clear the value, change nothing, or fail with 422 (D2). */
    null?: "clear" | "ignore" | "refuse";
    /** onChange: updatedAt changes only if a value has changed (D2). */
    touch?: "always" | "onChange";
  };
  /** Metadata of a profile. */
  metadata?: {
    /** deep: nested objects are merged too (D3). */
    merge?: "shallow" | "deep";
    /** remove: a key that is set to null is removed (D3). */
    null?: "keep" | "remove";
  };
  /** refuse: a field that the service does not know, or sets itself, is rejected with 422 (D10). */
  unknownFields?: "ignore" | "refuse";
  /** The list of profiles. */
  list?: {
    /** The query parameter that selects a page; offset counts profiles from 0 (D12). */
    pageParameter?: "page" | "pageNumber" | "offset";
    /** The query parameter with the page size (D12). */
    limitParameter?: "limit" | "perPage" | "pageSize";
    /** The page size if the request sets none; never more than maxLimit (D12). */
    defaultLimit?: number;
    /** The maximum page size; a larger one is rejected with 422 (D12). */
    maxLimit?: number;
    /** data: the array is in `{"data": […]}` (D12). */
    envelope?: "none" | "data";
    /** Which profile comes first (D12). */
    order?: "oldest" | "newest";
  };
  /** Deletions of a profile. */
  delete?: {
    /** The status for a profile that was already deleted (D14). */
    again?: 404 | 204;
  };
  /** Authentication. */
  authenticate?: {
    /** The status of a failed authentication (D25). */
    refusedStatus?: 401 | 400 | 403 | 404 | 422;
  };
  /** The status for an unknown appId. If several apps set it, the oldest decides (D27). */
  unknownAppStatus?: 401 | 403 | 404 | 422;
  /** The body of errors on the admin and auth URLs. */
  errors?: {
    /** error: `{"error": "…"}` instead of message and instruction (D25). */
    shape?: "default" | "error";
    /** nested: a 422 is `{"errors": {…}}` (D23). */
    fields?: "flat" | "nested";
  };
  /** Deterministic mode. */
  deterministic?: {
    /** The same seed and the same requests produce the same ids, codes and times; null: off. See deterministic.md (D24). */
    seed?: string | number | null;
  };
}

/** An app: an isolated environment. */
export interface App {
  appId: string;
  name: string;
  secret: string;
  /** The field that serves as the username. */
  strategy: "phone" | "email";
  settings: Settings;
  /** An ISO 8601 instant in UTC with milliseconds. */
  createdAt: string;
  counts: {
    profiles: number;
    passcodes: number;
    sessions: number;
    connections: number;
  };
  /** With `ttlSeconds`: when the app is deleted if no request names it. */
  lease?: {
    ttlSeconds: number;
    /** An ISO 8601 instant in UTC with milliseconds. */
    expiresAt: string;
    /** The app was created with the join token; a token bound to the app uses it. */
    joined?: true;
  };
  /** Only in the response to a join token: grants access to the control API for this app alone. */
  accessToken?: string;
}

/** A new app; absent fields are generated. */
export interface AppInput {
  /** The id of an app. */
  appId?: string;
  name?: string;
  /** The secret of an app, which its backend sends as a bearer token. */
  secret?: string;
  /** The field that serves as the username. */
  strategy?: "phone" | "email";
  settings?: Settings;
  /** The lease in seconds: the app is deleted after this time without a request that names it. */
  ttlSeconds?: number;
}

/** An update of an app; absent fields stay unchanged. */
export interface AppPatch {
  name?: string;
  /** The secret of an app, which its backend sends as a bearer token. */
  secret?: string;
  /** The field that serves as the username. */
  strategy?: "phone" | "email";
  settings?: Settings;
}

/** A fault for one user, stored with the profile. */
export type Scenario =
  | "locked"
  | "expiredCodes"
  | "noDelivery"
  | "slow"
  | "serverError"
  | {
      match?: {
        /** GET includes HEAD. Absent: any. */
        method?: "GET" | "POST" | "PUT" | "DELETE";
        /** The path without a query; a `*` at the end matches any suffix. */
        path?: string;
      };
      effect: {
        /** Delay in real milliseconds. Without another effect the request then proceeds. */
        delayMs?: number;
        /** Responds with this status and does nothing else. */
        status?: number;
        /** With `status`: JSON, or a string, which is sent as plain text. Absent: the usual error body. */
        body?: unknown;
        /** Fails as the service does for this reason, on the operations that can return it. */
        reason?:
          | "passcode_mismatch"
          | "passcode_expired"
          | "passcode_used"
          | "passcode_replaced"
          | "passcode_exhausted"
          | "unknown_user"
          | "unknown_app"
          | "sign_up_closed"
          | "rate_limited"
          | "unknown_secret"
          | "unknown_profile"
          | "internal"
          | "disk_full";
        /** Closes the connection without a response. */
        drop?: true;
        /** Resets the connection (TCP RST). */
        reset?: true;
        /** Issues the passcode and responds with 202, but never delivers it: `delivery` is `failed`. */
        undelivered?: true;
      };
      times?: number | null;
    };

/** A user's profile. */
export interface Profile {
  userId: string;
  appId: string;
  name: string | null;
  /** E.164. */
  phone: string | null;
  email: string | null;
  metadata: Record<string, unknown> | null;
  /** An ISO 8601 instant in UTC with milliseconds. */
  createdAt: string;
  /** An ISO 8601 instant in UTC with milliseconds. */
  updatedAt: string;
  testPasscode: string | null;
  scenario: Scenario | null;
}

/** A new profile. */
export interface ProfileInput {
  /** Free text, at most 255 characters. */
  name?: string | null;
  /** A phone number in E.164 form, such as +12025550100. */
  phone?: string | null;
  /** An email address, at most 254 characters. */
  email?: string | null;
  metadata?: Record<string, unknown> | null;
  testPasscode?: string | null;
  scenario?: Scenario | null;
  /** Optional if there is only one app, or if only one app has the profile `userId`. */
  appId?: string;
}

/** An update of a profile: absent fields stay unchanged, `null` clears one. */
export interface ProfilePatch {
  /** Free text, at most 255 characters. */
  name?: string | null;
  /** A phone number in E.164 form, such as +12025550100. */
  phone?: string | null;
  /** An email address, at most 254 characters. */
  email?: string | null;
  metadata?: Record<string, unknown> | null;
  testPasscode?: string | null;
  scenario?: Scenario | null;
  /** `merge` (the default) keeps the top-level metadata keys that are not sent; `replace` removes them. */
  metadataMode?: "merge" | "replace";
}

/** Filter for listing profiles. */
export interface ProfileQuery {
  appId?: string;
  q?: string;
  sort?:
    | "createdAt"
    | "-createdAt"
    | "updatedAt"
    | "-updatedAt"
    | "name"
    | "-name"
    | "phone"
    | "-phone"
    | "email"
    | "-email";
  page?: number;
  limit?: number;
}

/** An issued passcode. `seq` defines the order; times follow the app's clock. */
export interface Passcode {
  id: string;
  seq: number;
  appId: string;
  userId: string;
  channel: "sms" | "email";
  to: string;
  code: string;
  message: string;
  status: "active" | "used" | "replaced" | "expired" | "exhausted";
  delivery: "sent" | "failed";
  /** Delivery to emulators and simulators; kept in memory only. See delivery.md. */
  devices: Array<{
    kind: "android" | "ios";
    /** The serial of an emulator or the UDID of a simulator; null: no device was found. */
    id: string | null;
    /** The display name of the device, if known. */
    name: string | null;
    /** sent: the device's tool accepted it, which does not prove that it was displayed. */
    status: "sent" | "failed";
    /** One sentence: what was sent, or why it failed. */
    detail: string;
  }>;
  /** Number of attempts, including the correct one. */
  attempts: number;
  /** The codes that were typed, oldest first. */
  tried: Array<string>;
  requestId: string | null;
  /** An ISO 8601 instant in UTC with milliseconds. */
  createdAt: string;
  /** An ISO 8601 instant in UTC with milliseconds. */
  expiresAt: string;
}

/** Filter for listing passcodes, newest first. */
export interface PasscodeQuery {
  appId?: string;
  to?: string;
  status?: "active" | "used" | "replaced" | "expired" | "exhausted";
  limit?: number;
}

/** Which passcode to return. `wait` is in milliseconds. */
export interface LatestQuery {
  appId?: string;
  to?: string;
  /** Only newer passcodes: the id or seq of a passcode, or the seq of the store. */
  after?: string;
  requestId?: string;
  /** `any`: any status, including a passcode that a fault kept from arriving. */
  status?: "active" | "used" | "replaced" | "expired" | "exhausted" | "any";
  /** How long to wait, in milliseconds. */
  wait?: number;
}

/** A session; its times follow the app's clock. */
export interface Session {
  id: string;
  seq: number;
  appId: string;
  userId: string;
  state: "active" | "expired" | "revoked";
  /** The client's User-Agent. */
  device: string | null;
  requestId: string | null;
  /** An ISO 8601 instant in UTC with milliseconds. */
  createdAt: string;
  /** An ISO 8601 instant in UTC with milliseconds. */
  expiresAt: string;
  revokedAt: string | null;
}

/** A session to create without a passcode. `ttlSeconds` is in seconds. */
export interface SessionInput {
  /** Optional if there is only one app, or if only one app has the profile `userId`. */
  appId?: string;
  userId: string;
  ttlSeconds?: number;
}

/** Filter for listing sessions, newest first. */
export interface SessionQuery {
  appId?: string;
  userId?: string;
  state?: "active" | "expired" | "revoked";
  limit?: number;
}

/** Whether a token is active, and its claims (RFC 7662). Times are UNIX seconds. */
export interface Introspection {
  active: boolean;
  /** Why the token is not active. */
  reason?:
    | "malformed"
    | "algorithm_none"
    | "wrong_algorithm"
    | "no_kid"
    | "unknown_kid"
    | "bad_signature"
    | "no_subject"
    | "unknown_app"
    | "unknown_user"
    | "unknown_session"
    | "revoked"
    | "expired"
    | "not_yet_valid"
    | "issued_in_future";
  iss?: string;
  aud?: string;
  sub?: string;
  jti?: string;
  appId?: string;
  iat?: number;
  nbf?: number;
  exp?: number;
  client_id?: string;
  token_type?: string;
  username?: string;
}

/** Which token to sign; without `defect` a valid one. */
export interface WrongTokenInput {
  /** What is wrong with the token: expired: The token expired an hour ago (exp). notYetValid: The token is valid only from an hour from now (nbf). issuedInFuture: The token claims to be issued an hour from now (iat). wrongIssuer: The token has another issuer (iss). wrongAudience: The token is meant for another service (aud). noAudience: The token has no audience (aud). wrongKey: The token is signed with another key, under the key id of the right one. unknownKid: The token is signed with a key that is not in the JWKS (kid). noKid: The token has no key id (kid). If the JWKS has a single key, many libraries use that one. tampered: A claim was changed after the token was signed (exp): the signature does not match. algNone: The token is not signed at all (alg: none). hmacWithPublicKey: The token is signed with HS256, with the public key as the secret (algorithm confusion). noSubject: The token has no user (sub). unknownUser: The token names a user that does not exist (sub). revoked: The session of the token was revoked. Only introspection shows it. garbage: This is not a token. */
  defect?:
    | "expired"
    | "notYetValid"
    | "issuedInFuture"
    | "wrongIssuer"
    | "wrongAudience"
    | "noAudience"
    | "wrongKey"
    | "unknownKid"
    | "noKid"
    | "tampered"
    | "algNone"
    | "hmacWithPublicKey"
    | "noSubject"
    | "unknownUser"
    | "revoked"
    | "garbage";
  /** Additional claims, as in the setting `token.claims`. */
  claims?: Record<string, unknown>;
}

/** A token and its defect. */
export interface WrongToken {
  token: string;
  defect:
    | "expired"
    | "notYetValid"
    | "issuedInFuture"
    | "wrongIssuer"
    | "wrongAudience"
    | "noAudience"
    | "wrongKey"
    | "unknownKid"
    | "noKid"
    | "tampered"
    | "algNone"
    | "hmacWithPublicKey"
    | "noSubject"
    | "unknownUser"
    | "revoked"
    | "garbage"
    | null;
  why: string | null;
}

/** Which backend to call with tokens, and how. */
export interface TokenCheckInput {
  /** An endpoint of your backend that needs a token. */
  url: string;
  /** Absent: GET, or POST with a body. */
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The header with the token: its name, or the whole header with {token}. Absent: Authorization: Bearer {token}. */
  header?: string;
  /** Sent with each call; an object is sent as JSON. */
  body?: string | unknown;
}

/** How a backend responded to each token. */
export interface TokenCheck {
  items: Array<{
    /** What is wrong with the token; null: nothing. */
    defect:
      | "expired"
      | "notYetValid"
      | "issuedInFuture"
      | "wrongIssuer"
      | "wrongAudience"
      | "noAudience"
      | "wrongKey"
      | "unknownKid"
      | "noKid"
      | "tampered"
      | "algNone"
      | "hmacWithPublicKey"
      | "noSubject"
      | "unknownUser"
      | "revoked"
      | "garbage"
      | null;
    /** The status of the response; null: no response within 5 s. */
    status: number | null;
    /** refused: 401, 403, or JSON errors that the valid token does not get; accepted: the same status as the valid token; otherwise unclear. */
    verdict: "refused" | "accepted" | "unclear";
    /** Most libraries accept such a token, so it never fails the check. */
    advice: boolean;
    /** false: the valid token was refused, or one that must be refused was accepted. */
    ok: boolean;
  }>;
  ok: boolean;
  /** Why the backend did not respond to the valid token. */
  error?: string;
}

/** A connection between a profile and another service. */
export interface Connection {
  id: string;
  appId: string;
  userId: string;
  name: string;
  /** Managed by the service: deleting its profile disables it. */
  managed: boolean;
  status: "connected" | "disabled";
  /** An ISO 8601 instant in UTC with milliseconds. */
  createdAt: string;
  disabledAt: string | null;
}

/** A new connection. */
export interface ConnectionInput {
  /** Optional if there is only one app, or if only one app has the profile `userId`. */
  appId?: string;
  userId: string;
  name: string;
  managed?: boolean;
}

/** An update of a connection. */
export interface ConnectionPatch {
  name?: string;
  managed?: boolean;
  status?: "connected" | "disabled";
}

/** Filter for listing connections. */
export interface ConnectionQuery {
  appId?: string;
  userId?: string;
}

/** A request and its response. `durationMs` is in milliseconds. */
export interface RequestRow {
  id: string;
  /** An ISO 8601 instant in UTC with milliseconds. */
  at: string;
  listener: "admin" | "auth" | "console";
  scheme: "http" | "https";
  method: string;
  path: string;
  /** 0: the connection was closed without a response, by a fault or a limit. */
  status: number;
  /** The Emulator-Reason header. */
  reason: string | null;
  /** The decision behind the response, such as D24. */
  decision: string | null;
  /** The id of the fault that applied to the request. */
  fault: string | null;
  appId: string | null;
  userId: string | null;
  durationMs: number;
  ignoredFields: Array<string>;
  warnings: Array<string>;
  request: {
    /** Secrets are masked. */
    headers: Record<string, string | Array<string>>;
    /** The body as text, truncated to 16 KiB. */
    body: string | null;
  };
  response: {
    /** Secrets are masked. */
    headers: Record<string, string | Array<string>>;
    /** The body as text, truncated to 16 KiB. */
    body: string | null;
  };
  remote: string | null;
}

/** Filter for listing requests, newest first. */
export interface RequestQuery {
  appId?: string;
  userId?: string;
  listener?: "admin" | "auth" | "console";
  method?: string;
  /** Only requests whose path starts with this text. */
  path?: string;
  status?: number;
  reason?: string;
  limit?: number;
}

/** Everything about one login: the file that `stagedoor open` shows. */
export interface LoginBundle {
  kind: "stagedoor-login";
  version: 1;
  /** The version of Stagedoor that created it. */
  stagedoor: string;
  /** When it was created, in real time. */
  at: string;
  /** The request that it was downloaded for. */
  requestId: string;
  /** The requests of the login attempt, oldest first. */
  requests: Array<RequestRow>;
  /** The faults that can apply to the user. */
  faults: Array<Fault>;
  /** The clock of the app. */
  clock: Clock;
  /** The app without its secret, the user, and the newest passcodes, sessions and connections of the user. */
  state: World;
}

/** Changes to a request before it is resent; absent fields stay unchanged. */
export interface ReplayInput {
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path with its query. */
  path?: string;
  /** Headers to set, or to remove with `null`; the others stay. */
  headers?: Record<string, string | null>;
  /** The body as text; `null`: none. */
  body?: string | null;
}

/** The response to a resent request. */
export interface Replayed {
  /** 0: the connection ended without a response, for example by a fault. */
  status: number;
  headers: Record<string, string>;
  /** The body as text. */
  body: string | null;
  /** The id of the new row in the request log. */
  requestId: string | null;
}

/** Auth on the local network. */
export interface Lan {
  open: boolean;
  /** The URLs of auth for other machines, the likeliest first; empty while closed. */
  urls: Array<string>;
  /** The same over TLS; empty while TLS is off. */
  tlsUrls: Array<string>;
  /** The addresses of this machine, except loopback; the likeliest first. */
  addresses: Array<{
    /** The name of the network interface. */
    name: string;
    address: string;
  }>;
}

/** Auth over TLS, and its certificates. */
export interface Tls {
  on: boolean;
  /** The TLS URL of auth on this machine; null while TLS is off. */
  url: string | null;
  /** The TLS URLs for other machines. */
  lanUrls: Array<string>;
  /** The certificate authority of this user; null if TLS was never on. */
  ca: {
    subject: string;
    /** SHA-256 of the certificate: hexadecimal bytes separated by colons. */
    fingerprint256: string;
    /** An ISO 8601 instant in UTC with milliseconds. */
    notAfter: string;
    /** The certificate that devices must trust, as PEM. */
    pem: string;
  } | null;
  /** The certificate of the listener; null while TLS is off. */
  leaf: {
    /** The names and addresses that the certificate is valid for. */
    names: Array<string>;
    /** Addresses of this machine that the authority may not sign for. */
    uncovered: Array<string>;
    /** An ISO 8601 instant in UTC with milliseconds. */
    notAfter: string;
  } | null;
}

/** A client of auth: an address and a user agent. */
export interface AuthClient {
  id: string;
  /** Its IP address. */
  remote: string;
  userAgent: string | null;
  /** The device type from the user agent, such as iPhone or Android phone. */
  device: string | null;
  /** An ISO 8601 instant in UTC with milliseconds. */
  firstSeenAt: string;
  /** An ISO 8601 instant in UTC with milliseconds. */
  lastSeenAt: string;
  /** Whether it has sent a request over http. */
  http: boolean;
  /** Whether it has sent a request over https, and so trusts the certificate. */
  https: boolean;
  /** TLS handshakes that the client aborted because of the certificate (alerts 42 to 48). */
  tlsRefusals: number;
  /** Other aborted TLS handshakes. */
  tlsAborted: number;
  requests: number;
  lastStatus: number | null;
  /** The Emulator-Reason header. */
  lastReason: string | null;
}

/** Which Android device. */
export interface AdbReverseInput {
  /** The serial of the device. Absent: the only one. */
  serial?: string;
}

/** One auth URL, as seen from the server's machine. */
export interface Reach {
  url: string;
  /** The addresses of its host; empty: the name does not resolve. */
  addresses: Array<string>;
  /** null: Stagedoor responds at this URL. */
  problem: "unresolved" | "elsewhere" | "refused" | "silent" | "stranger" | "certificate" | null;
  /** What to do about the problem. */
  instruction: string | null;
}

/** The forwarded ports. */
export interface AdbReversed {
  serial: string | null;
  /** Ports of the device that are forwarded to the same ports of this machine. */
  ports: Array<number>;
}

/** Which iOS simulator. */
export interface SimulatorTrustInput {
  /** The UDID of the simulator. Absent: all booted simulators. */
  udid?: string;
}

/** The simulators that now trust the certificate authority. */
export interface SimulatorTrusted {
  udids: Array<string>;
}

/** A change. */
export interface EventData {
  type:
    | "app.put"
    | "app.remove"
    | "profile.put"
    | "profile.remove"
    | "passcode.put"
    | "passcode.remove"
    | "passcode.devices"
    | "session.put"
    | "session.remove"
    | "connection.put"
    | "connection.remove"
    | "clock.put"
    | "fault.put"
    | "fault.remove"
    | "snapshot.put"
    | "snapshot.remove"
    | "state.put"
    | "request.put"
    | "lan.put"
    | "client.put"
    | "resync";
  appId: string | null;
  seq: number;
  /** The record as in the control API. A removal has `{id}`, of a profile `{userId}`, of a snapshot `{name}`; passcode.devices has `{id, devices}`; request.put has the newest row without bodies, and in `more` the number of further rows. */
  item: unknown;
}

/** A world: the content of a fixture file. */
export interface World {
  $schema?: string;
  version?: 1;
  apps: Array<{
    /** The id of an app. */
    appId: string;
    /** The display name of the app; {app} in messages. */
    name?: string;
    /** The secret of an app, which its backend sends as a bearer token. */
    secret?: string;
    /** The field that serves as the username. */
    strategy?: "phone" | "email";
    settings?: Settings;
    /** An instant, a date (midnight UTC), or a time before the start: `-30d`, `-90m`; units `s`, `m`, `h`, `d`, `w`. */
    createdAt?: string;
    /** Generates users in addition to `profiles`. A profile in the file replaces a generated one with the same username. */
    generate?: {
      /** How many users. */
      count: number;
      /** Any text. The same seed generates the same users. Absent: `1`. */
      seed?: string;
      /** The locale of their names, cities and phone numbers. Absent: `en`. */
      locale?: "en" | "de" | "fr" | "es" | "ar" | "ja";
    };
    profiles?: Array<{
      userId?: string;
      /** Free text, at most 255 characters. */
      name?: string | null;
      /** A phone number in E.164 form, such as +12025550100. */
      phone?: string | null;
      /** An email address, at most 254 characters. */
      email?: string | null;
      metadata?: Record<string, unknown> | null;
      testPasscode?: string | null;
      scenario?: Scenario | null;
      /** An instant, a date (midnight UTC), or a time before the start: `-30d`, `-90m`; units `s`, `m`, `h`, `d`, `w`. */
      createdAt?: string;
      /** An instant, a date (midnight UTC), or a time before the start: `-30d`, `-90m`; units `s`, `m`, `h`, `d`, `w`. */
      updatedAt?: string;
    }>;
    connections?: Array<{
      id?: string;
      userId?: string;
      /** The username of the profile, instead of userId. */
      user?: string;
      name: string;
      /** Managed by the service: deleting its profile disables it. Absent: true. */
      managed?: boolean;
      status?: "connected" | "disabled";
      /** An instant, a date (midnight UTC), or a time before the start: `-30d`, `-90m`; units `s`, `m`, `h`, `d`, `w`. */
      createdAt?: string;
      disabledAt?: string | null;
    }>;
    /** Only in an export with `volatile=1`. */
    passcodes?: Array<{
      id: string;
      seq: number;
      userId: string;
      channel: "sms" | "email";
      to: string;
      code: string;
      message: string;
      state: "active" | "used" | "replaced" | "exhausted";
      delivery: "sent" | "failed";
      attempts: number;
      tried: Array<string>;
      requestId: string | null;
      createdAt: string;
      expiresAt: string;
    }>;
    /** Only in an export with `volatile=1`. */
    sessions?: Array<{
      id: string;
      seq: number;
      userId: string;
      createdAt: string;
      expiresAt: string;
      revokedAt: string | null;
      device: string | null;
      requestId: string | null;
      issuer: string;
      audience: string;
    }>;
    /** Only in an export with `volatile=1`. */
    clock?: {
      offsetMs: number;
      frozenAtMs: number | null;
    } | null;
    /** Transactions of a deterministic app so far. Only in an export with `volatile=1`. */
    steps?: number;
  }>;
  /** Only in an export with `volatile=1`. */
  clock?: {
    offsetMs: number;
    frozenAtMs: number | null;
  };
}

/** A named snapshot. */
export interface Snapshot {
  name: string;
  /** The app it belongs to; `null`: all apps. */
  appId: string | null;
  /** The `seq` of its last change. */
  seq: number;
  /** In real time, because the service clock is part of the snapshot. */
  createdAt: string;
  counts: {
    apps: number;
    profiles: number;
    passcodes: number;
    sessions: number;
    connections: number;
  };
  /** Whether it is on disk and survives a restart. */
  stored: boolean;
}

/** The result of a restore. */
export interface Restored {
  name: string;
  /** The app it belongs to; `null`: all apps. */
  appId: string | null;
  /** The `seq` of its last change. */
  seq: number;
  /** In real time, because the service clock is part of the snapshot. */
  createdAt: string;
  counts: {
    apps: number;
    profiles: number;
    passcodes: number;
    sessions: number;
    connections: number;
  };
  /** Whether it is on disk and survives a restart. */
  stored: boolean;
  /** The number of changes made. */
  changes: number;
}

/** The changes since a snapshot. */
export interface SnapshotDiff {
  /** Totals, including entries that do not fit in the lists. */
  counts: {
    added: number;
    removed: number;
    changed: number;
  };
  added: {
    apps: Array<{
      appId: string;
      name: string;
      secret: string;
      /** The field that serves as the username. */
      strategy: "phone" | "email";
      settings: Settings;
      /** An ISO 8601 instant in UTC with milliseconds. */
      createdAt: string;
      /** With `ttlSeconds`: when the app is deleted if no request names it. */
      lease?: {
        ttlSeconds: number;
        /** An ISO 8601 instant in UTC with milliseconds. */
        expiresAt: string;
        /** The app was created with the join token; a token bound to the app uses it. */
        joined?: true;
      };
      /** Only in the response to a join token: grants access to the control API for this app alone. */
      accessToken?: string;
    }>;
    profiles: Array<Profile>;
    passcodes: Array<Passcode>;
    sessions: Array<Session>;
    connections: Array<Connection>;
  };
  removed: {
    apps: Array<{
      appId: string;
      name: string;
      secret: string;
      /** The field that serves as the username. */
      strategy: "phone" | "email";
      settings: Settings;
      /** An ISO 8601 instant in UTC with milliseconds. */
      createdAt: string;
      /** With `ttlSeconds`: when the app is deleted if no request names it. */
      lease?: {
        ttlSeconds: number;
        /** An ISO 8601 instant in UTC with milliseconds. */
        expiresAt: string;
        /** The app was created with the join token; a token bound to the app uses it. */
        joined?: true;
      };
      /** Only in the response to a join token: grants access to the control API for this app alone. */
      accessToken?: string;
    }>;
    profiles: Array<Profile>;
    passcodes: Array<Passcode>;
    sessions: Array<Session>;
    connections: Array<Connection>;
  };
  changed: {
    apps: Array<{
      before: {
        appId: string;
        name: string;
        secret: string;
        /** The field that serves as the username. */
        strategy: "phone" | "email";
        settings: Settings;
        /** An ISO 8601 instant in UTC with milliseconds. */
        createdAt: string;
        /** With `ttlSeconds`: when the app is deleted if no request names it. */
        lease?: {
          ttlSeconds: number;
          /** An ISO 8601 instant in UTC with milliseconds. */
          expiresAt: string;
          /** The app was created with the join token; a token bound to the app uses it. */
          joined?: true;
        };
        /** Only in the response to a join token: grants access to the control API for this app alone. */
        accessToken?: string;
      };
      after: {
        appId: string;
        name: string;
        secret: string;
        /** The field that serves as the username. */
        strategy: "phone" | "email";
        settings: Settings;
        /** An ISO 8601 instant in UTC with milliseconds. */
        createdAt: string;
        /** With `ttlSeconds`: when the app is deleted if no request names it. */
        lease?: {
          ttlSeconds: number;
          /** An ISO 8601 instant in UTC with milliseconds. */
          expiresAt: string;
          /** The app was created with the join token; a token bound to the app uses it. */
          joined?: true;
        };
        /** Only in the response to a join token: grants access to the control API for this app alone. */
        accessToken?: string;
      };
    }>;
    profiles: Array<{
      before: Profile;
      after: Profile;
    }>;
    passcodes: Array<{
      before: Passcode;
      after: Passcode;
    }>;
    sessions: Array<{
      before: Session;
      after: Session;
    }>;
    connections: Array<{
      before: Connection;
      after: Connection;
    }>;
    /** `appId` `null`: the global clock. */
    clocks: Array<{
      appId: string | null;
      /** `null`: the app followed, or follows, the global clock. */
      before: {
        offsetSeconds: number;
        frozenAt: string | null;
      } | null;
      /** `null`: the app followed, or follows, the global clock. */
      after: {
        offsetSeconds: number;
        frozenAt: string | null;
      } | null;
    }>;
  };
}

/** The state of a clock. */
export interface Clock {
  /** An ISO 8601 instant in UTC with milliseconds. */
  now: string;
  offsetSeconds: number;
  frozenAt: string | null;
}

/** The new setting of a clock; `{}` is real time. */
export interface ClockInput {
  offsetSeconds?: number;
  frozenAt?: string | null;
}

/** A fault with its counters. */
export interface Fault {
  id: string;
  match: {
    /** Absent: both. */
    listener?: "admin" | "auth";
    /** GET includes HEAD. Absent: any. */
    method?: "GET" | "POST" | "PUT" | "DELETE";
    /** The path without a query; a `*` at the end matches any suffix. */
    path?: string;
    /** Only requests of this app. */
    appId?: string;
    to?: string;
  };
  /** The profile whose scenario set it; `null`: set through this API. */
  userId: string | null;
  /** The name of that scenario; `custom`: a custom fault. */
  scenario: string | null;
  effect: {
    /** Delay in real milliseconds. Without another effect the request then proceeds. */
    delayMs?: number;
    /** Responds with this status and does nothing else. */
    status?: number;
    /** With `status`: JSON, or a string, which is sent as plain text. Absent: the usual error body. */
    body?: unknown;
    /** Fails as the service does for this reason, on the operations that can return it. */
    reason?:
      | "passcode_mismatch"
      | "passcode_expired"
      | "passcode_used"
      | "passcode_replaced"
      | "passcode_exhausted"
      | "unknown_user"
      | "unknown_app"
      | "sign_up_closed"
      | "rate_limited"
      | "unknown_secret"
      | "unknown_profile"
      | "internal"
      | "disk_full";
    /** Closes the connection without a response. */
    drop?: true;
    /** Resets the connection (TCP RST). */
    reset?: true;
    /** Issues the passcode and responds with 202, but never delivers it: `delivery` is `failed`. */
    undelivered?: true;
  };
  times: number | null;
  /** How many requests it has applied to. */
  used: number;
  /** How many more requests it will apply to; `null`: no limit. */
  remaining: number | null;
  /** An ISO 8601 instant in UTC with milliseconds. */
  createdAt: string;
}

/** A new fault. */
export interface FaultInput {
  match?: {
    /** Absent: both. */
    listener?: "admin" | "auth";
    /** GET includes HEAD. Absent: any. */
    method?: "GET" | "POST" | "PUT" | "DELETE";
    /** The path without a query; a `*` at the end matches any suffix. */
    path?: string;
    /** Only requests of this app. */
    appId?: string;
    /** Only session requests with this username, the recipient of passcodes. */
    to?: string;
  };
  effect: {
    /** Delay in real milliseconds. Without another effect the request then proceeds. */
    delayMs?: number;
    /** Responds with this status and does nothing else. */
    status?: number;
    /** With `status`: JSON, or a string, which is sent as plain text. Absent: the usual error body. */
    body?: unknown;
    /** Fails as the service does for this reason, on the operations that can return it. */
    reason?:
      | "passcode_mismatch"
      | "passcode_expired"
      | "passcode_used"
      | "passcode_replaced"
      | "passcode_exhausted"
      | "unknown_user"
      | "unknown_app"
      | "sign_up_closed"
      | "rate_limited"
      | "unknown_secret"
      | "unknown_profile"
      | "internal"
      | "disk_full";
    /** Closes the connection without a response. */
    drop?: true;
    /** Resets the connection (TCP RST). */
    reset?: true;
    /** Issues the passcode and responds with 202, but never delivers it: `delivery` is `failed`. */
    undelivered?: true;
  };
  /** How many requests it applies to. `null`: no limit. */
  times?: number | null;
}
