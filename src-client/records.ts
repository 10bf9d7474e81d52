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
}

/** Settings of an app; an absent one has its default. */
export interface Settings {
  /** The value of `phone` in the response to an update that carried a phone (D11). */
  updateResponsePhone?: "null" | "value";
  /** lenient: values that D5 to D8 would reject are stored, with a warning in the request log (D5, D6, D7, D8). */
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
    /** What signs the tokens. HS256 uses the app secret, which must have at least 32 bytes. With `--signing-key`, the default is the algorithm of that key (D29). */
    algorithm?: "ES256" | "RS256" | "EdDSA" | "HS256";
    /** An object that is added to every token of the app. Texts may contain {userId}, {name}, {phone}, {email} and {metadata.<key>}. See tokens.md (D29). */
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
    /** A field that is null: it is cleared, ignored, or rejected with 422 (D2). */
    null?: "clear" | "ignore" | "refuse";
    /** onChange: updatedAt moves only if a value has changed (D2). */
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
    /** The query parameter with the size of a page (D12). */
    limitParameter?: "limit" | "perPage" | "pageSize";
    /** The size of a page if the request names none; at most maxLimit holds (D12). */
    defaultLimit?: number;
    /** The largest size of a page; a larger one is rejected with 422 (D12). */
    maxLimit?: number;
    /** data: the array is in `{"data": […]}` (D12). */
    envelope?: "none" | "data";
    /** Which profile comes first (D12). */
    order?: "oldest" | "newest";
  };
  /** Deletions of a profile. */
  delete?: {
    /** The status for a profile that is already gone (D14). */
    again?: 404 | 204;
  };
  /** Authentication. */
  authenticate?: {
    /** The status of a failed authentication (D25). */
    refusedStatus?: 401 | 400 | 403 | 404 | 422;
  };
  /** The status for an appId that no app has. Of several apps that set it, the oldest decides (D27). */
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

/** An app: an isolated environment of its own. */
export interface App {
  appId: string;
  name: string;
  secret: string;
  /** The field that is the username of the users. */
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
  /** Of an app with `ttlSeconds`: when it is deleted if no request names it. */
  lease?: {
    ttlSeconds: number;
    /** An ISO 8601 instant in UTC with milliseconds. */
    expiresAt: string;
  };
  /** Only in the answer to a join token: opens the control API for this app alone. */
  accessToken?: string;
}

/** A new app; what is absent is made. */
export interface AppInput {
  /** The id of an app. */
  appId?: string;
  name?: string;
  /** The secret of an app, which its backend sends as a bearer token. */
  secret?: string;
  /** The field that is the username of the users. */
  strategy?: "phone" | "email";
  settings?: Settings;
  /** The app is deleted once no request has named it for so long. */
  ttlSeconds?: number;
}

/** A change of an app: what is absent stays. */
export interface AppPatch {
  name?: string;
  /** The secret of an app, which its backend sends as a bearer token. */
  secret?: string;
  /** The field that is the username of the users. */
  strategy?: "phone" | "email";
  settings?: Settings;
}

/** What goes wrong for one user: a fault that belongs to the profile. */
export type Scenario =
  | "locked"
  | "expiredCodes"
  | "noDelivery"
  | "slow"
  | "serverError"
  | {
      match?: {
        /** GET stands for HEAD too. Absent: any. */
        method?: "GET" | "POST" | "PUT" | "DELETE";
        /** The path, without a query; a `*` at its end stands for whatever follows. */
        path?: string;
      };
      effect: {
        /** Real milliseconds to wait first; alone: the request is then carried out. */
        delayMs?: number;
        /** Answers this, and does nothing. */
        status?: number;
        /** With `status`: JSON, or a string, sent as plain text. Absent: the usual body of an error. */
        body?: unknown;
        /** Refuses just as the service does for this reason, on the operations that may refuse so. */
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
        /** Closes the connection without an answer. */
        drop?: true;
        /** Resets the connection (TCP RST). */
        reset?: true;
        /** The passcode is issued and 202 answered, but it does not arrive: `delivery` is `failed`. */
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
  /** May be left out when there is one app, or when only one app has the profile of `userId`. */
  appId?: string;
}

/** A change of a profile: what is absent stays, `null` clears. */
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

/** Which profiles to list. */
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

/** A passcode that was issued. `seq` gives the order; times follow the app's clock. */
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
  /** Emulators and simulators that it went to, or should have; kept in memory. See delivery.md. */
  devices: Array<{
    kind: "android" | "ios";
    /** The serial of an emulator or the UDID of a simulator; null: no device was found. */
    id: string | null;
    /** What people call the device, where that is known. */
    name: string | null;
    /** sent: the device's tool took it; nobody saw the screen. */
    status: "sent" | "failed";
    /** One sentence: what was sent, or why not. */
    detail: string;
  }>;
  /** Tries, the right one too. */
  attempts: number;
  /** What was typed, oldest first. */
  tried: Array<string>;
  requestId: string | null;
  /** An ISO 8601 instant in UTC with milliseconds. */
  createdAt: string;
  /** An ISO 8601 instant in UTC with milliseconds. */
  expiresAt: string;
}

/** Which passcodes to list, newest first. */
export interface PasscodeQuery {
  appId?: string;
  to?: string;
  status?: "active" | "used" | "replaced" | "expired" | "exhausted";
  limit?: number;
}

/** Which passcode to give. `wait` is in milliseconds. */
export interface LatestQuery {
  appId?: string;
  to?: string;
  /** Only one newer than this: the id or the seq of a passcode, or the seq of the store. */
  after?: string;
  requestId?: string;
  /** `any`: whatever its status, and also one that a fault kept from arriving. */
  status?: "active" | "used" | "replaced" | "expired" | "exhausted" | "any";
  /** Milliseconds. */
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

/** A session to make without a passcode. `ttlSeconds` is in seconds. */
export interface SessionInput {
  /** May be left out when there is one app, or when only one app has the profile of `userId`. */
  appId?: string;
  userId: string;
  ttlSeconds?: number;
}

/** Which sessions to list, newest first. */
export interface SessionQuery {
  appId?: string;
  userId?: string;
  state?: "active" | "expired" | "revoked";
  limit?: number;
}

/** Whether a token is active, and whose it is (RFC 7662). Times are UNIX seconds. */
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

/** Which token to sign: without `defect` a good one. */
export interface WrongTokenInput {
  /** What is wrong with the token: expired: The token expired an hour ago (exp). notYetValid: The token is valid only from an hour from now (nbf). issuedInFuture: The token claims to be issued an hour from now (iat). wrongIssuer: The token names another issuer (iss). wrongAudience: The token is meant for another service (aud). noAudience: The token has no audience (aud). wrongKey: The token is signed with another key, under the key id of the right one. unknownKid: The token is signed with a key that is not in the JWKS (kid). noKid: The token names no key (kid). With a single key in the JWKS, many libraries use that one. tampered: A claim was changed after the token was signed (exp): the signature does not match. algNone: The token is not signed at all (alg: none). hmacWithPublicKey: The token is signed with HS256, with the public key as the secret (algorithm confusion). noSubject: The token names no user (sub). unknownUser: The token names a user that does not exist (sub). revoked: The session of the token was revoked. Only introspection shows it. garbage: This is not a token. */
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
  /** Further claims, as in the setting `token.claims`. */
  claims?: Record<string, unknown>;
}

/** A token, and what is wrong with it. */
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
  /** The header that carries the token: its name, or all of it with {token}. Absent: Authorization: Bearer {token}. */
  header?: string;
  /** Sent with each call; an object as JSON. */
  body?: string | unknown;
}

/** How a backend took each token. */
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
    /** Of the response; null: there was none within 5 s. */
    status: number | null;
    /** refused: 401, 403, or JSON errors where the good token has none; accepted: the status of the good token; else unclear. */
    verdict: "refused" | "accepted" | "unclear";
    /** Most libraries accept such a token: it never fails the check. */
    advice: boolean;
    /** false: the good token was not accepted, or one that must be refused was. */
    ok: boolean;
  }>;
  ok: boolean;
  /** Why the backend did not answer the good token. */
  error?: string;
}

/** A connection of a profile to another service. */
export interface Connection {
  id: string;
  appId: string;
  userId: string;
  name: string;
  /** Managed by the service: the deletion of its profile disables it. */
  managed: boolean;
  status: "connected" | "disabled";
  /** An ISO 8601 instant in UTC with milliseconds. */
  createdAt: string;
  disabledAt: string | null;
}

/** A new connection. */
export interface ConnectionInput {
  /** May be left out when there is one app, or when only one app has the profile of `userId`. */
  appId?: string;
  userId: string;
  name: string;
  managed?: boolean;
}

/** A change of a connection. */
export interface ConnectionPatch {
  name?: string;
  managed?: boolean;
  status?: "connected" | "disabled";
}

/** Which connections to list. */
export interface ConnectionQuery {
  appId?: string;
  userId?: string;
}

/** A request and its answer. `durationMs` is in milliseconds. */
export interface RequestRow {
  id: string;
  /** An ISO 8601 instant in UTC with milliseconds. */
  at: string;
  listener: "admin" | "auth" | "console";
  scheme: "http" | "https";
  method: string;
  path: string;
  /** 0: the connection was closed without an answer, by a fault or to make room. */
  status: number;
  /** As the Emulator-Reason header. */
  reason: string | null;
  /** The decision that the answer rests on, such as D24. */
  decision: string | null;
  /** The id of the fault that the request met. */
  fault: string | null;
  appId: string | null;
  userId: string | null;
  durationMs: number;
  ignoredFields: Array<string>;
  warnings: Array<string>;
  request: {
    /** Secrets are masked. */
    headers: Record<string, string | Array<string>>;
    /** As text, cut after 16 KiB. */
    body: string | null;
  };
  response: {
    /** Secrets are masked. */
    headers: Record<string, string | Array<string>>;
    /** As text, cut after 16 KiB. */
    body: string | null;
  };
  remote: string | null;
}

/** Which requests to list, newest first. */
export interface RequestQuery {
  appId?: string;
  userId?: string;
  listener?: "admin" | "auth" | "console";
  method?: string;
  /** Rows whose path begins so. */
  path?: string;
  status?: number;
  reason?: string;
  limit?: number;
}

/** What belongs to one login: what `stagedoor open` shows. */
export interface LoginBundle {
  kind: "stagedoor-login";
  version: 1;
  /** The version that made it. */
  stagedoor: string;
  /** When it was made, in real time. */
  at: string;
  /** The request that it was asked for. */
  requestId: string;
  /** The attempt: its requests, oldest first. */
  requests: Array<RequestRow>;
  /** The faults that can apply to the user. */
  faults: Array<Fault>;
  /** The clock of the app. */
  clock: Clock;
  /** The app without its secret, the user, and the newest passcodes, sessions and connections of the user. */
  state: World;
}

/** What to change of a request before it is sent once more; what is absent stays. */
export interface ReplayInput {
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its query. */
  path?: string;
  /** Headers to set, or with `null` to leave out; the others stay. */
  headers?: Record<string, string | null>;
  /** As text; `null`: none. */
  body?: string | null;
}

/** What a request that was sent once more was answered. */
export interface Replayed {
  /** 0: the connection ended without an answer, as by a fault. */
  status: number;
  headers: Record<string, string>;
  /** As text. */
  body: string | null;
  /** The new row of the request log. */
  requestId: string | null;
}

/** Auth on the local network. */
export interface Lan {
  open: boolean;
  /** Auth for other machines, the likeliest first; none while closed. */
  urls: Array<string>;
  /** The same over TLS; none while TLS is off. */
  tlsUrls: Array<string>;
  /** The addresses of this machine, except loopback; the likeliest first. */
  addresses: Array<{
    /** Of the network interface. */
    name: string;
    address: string;
  }>;
}

/** Auth over TLS, and its certificates. */
export interface Tls {
  on: boolean;
  /** Auth over TLS on this machine; null while TLS is off. */
  url: string | null;
  /** The same for other machines. */
  lanUrls: Array<string>;
  /** The certificate authority of this user; null: TLS was never on. */
  ca: {
    subject: string;
    /** SHA-256 of the certificate: hexadecimal bytes, with colons. */
    fingerprint256: string;
    /** An ISO 8601 instant in UTC with milliseconds. */
    notAfter: string;
    /** The certificate that devices have to trust. */
    pem: string;
  } | null;
  /** The certificate of the listener; null while TLS is off. */
  leaf: {
    /** The names and addresses that the certificate is valid for. */
    names: Array<string>;
    /** Addresses of this machine outside the ranges that the authority may sign for. */
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
  /** What the user agent tells, such as iPhone or Android phone. */
  device: string | null;
  /** An ISO 8601 instant in UTC with milliseconds. */
  firstSeenAt: string;
  /** An ISO 8601 instant in UTC with milliseconds. */
  lastSeenAt: string;
  /** Whether it has sent a request over http. */
  http: boolean;
  /** Whether it has sent a request over https: it trusts the certificate. */
  https: boolean;
  /** TLS handshakes that it ended because of the certificate (alerts 42 to 48). */
  tlsRefusals: number;
  /** Other TLS handshakes that broke off. */
  tlsAborted: number;
  requests: number;
  lastStatus: number | null;
  /** As the Emulator-Reason header. */
  lastReason: string | null;
}

/** Which Android device. */
export interface AdbReverseInput {
  /** Of the device; absent: the only one. */
  serial?: string;
}

/** One URL of auth, as the machine of the server reaches it. */
export interface Reach {
  url: string;
  /** What its host leads to; none: the name is not resolved. */
  addresses: Array<string>;
  /** null: Stagedoor answers at this URL. */
  problem: "unresolved" | "elsewhere" | "refused" | "silent" | "stranger" | "certificate" | null;
  /** What to do about the problem. */
  instruction: string | null;
}

/** What `adb reverse` forwards. */
export interface AdbReversed {
  serial: string | null;
  /** They lead from the device to the same ports of this machine. */
  ports: Array<number>;
}

/** Which iOS simulator. */
export interface SimulatorTrustInput {
  /** Of the simulator; absent: all that are booted. */
  udid?: string;
}

/** The simulators that trust the certificate authority now. */
export interface SimulatorTrusted {
  udids: Array<string>;
}

/** Something that changed. */
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
  /** The record as the control API shows it; of a removal `{id}`, of passcode.devices `{id, devices}`, of a profile `{userId}`, of a snapshot `{name}`; of request.put the newest row without its bodies, with `more`: how many others came with it. */
  item: unknown;
}

/** A world: what a fixture file holds. */
export interface World {
  $schema?: string;
  version?: 1;
  apps: Array<{
    /** The id of an app. */
    appId: string;
    /** What people call the app; {app} in messages. */
    name?: string;
    /** The secret of an app, which its backend sends as a bearer token. */
    secret?: string;
    /** The field that is the username of the users. */
    strategy?: "phone" | "email";
    settings?: Settings;
    /** An instant, a date (midnight UTC), or how long before the start: `-30d`, `-90m`; units `s`, `m`, `h`, `d`, `w`. */
    createdAt?: string;
    /** Generates users besides those of `profiles`. A profile of the file with the same username counts instead. */
    generate?: {
      /** How many users. */
      count: number;
      /** Any text: the same seed makes the same users. Absent: `1`. */
      seed?: string;
      /** Whose names, cities and numbers they have. Absent: `en`. */
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
      /** An instant, a date (midnight UTC), or how long before the start: `-30d`, `-90m`; units `s`, `m`, `h`, `d`, `w`. */
      createdAt?: string;
      /** An instant, a date (midnight UTC), or how long before the start: `-30d`, `-90m`; units `s`, `m`, `h`, `d`, `w`. */
      updatedAt?: string;
    }>;
    connections?: Array<{
      id?: string;
      userId?: string;
      /** The username of the profile, instead of userId. */
      user?: string;
      name: string;
      /** Managed by the service: the deletion of its profile disables it. Absent: true. */
      managed?: boolean;
      status?: "connected" | "disabled";
      /** An instant, a date (midnight UTC), or how long before the start: `-30d`, `-90m`; units `s`, `m`, `h`, `d`, `w`. */
      createdAt?: string;
      disabledAt?: string | null;
    }>;
    /** Only in a state with volatile parts. */
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
    /** Only in a state with volatile parts. */
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
    /** Only in a state with volatile parts. */
    clock?: {
      offsetMs: number;
      frozenAtMs: number | null;
    } | null;
    /** Transactions of a deterministic app so far. Only in a state with volatile parts. */
    steps?: number;
  }>;
  /** Only in a state with volatile parts. */
  clock?: {
    offsetMs: number;
    frozenAtMs: number | null;
  };
}

/** A moment to go back to. */
export interface Snapshot {
  name: string;
  /** The app it belongs to; `null`: all apps. */
  appId: string | null;
  /** The number of the last change in it. */
  seq: number;
  /** In real time: the service's clock is part of a snapshot. */
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

/** What a restore came to. */
export interface Restored {
  name: string;
  /** The app it belongs to; `null`: all apps. */
  appId: string | null;
  /** The number of the last change in it. */
  seq: number;
  /** In real time: the service's clock is part of a snapshot. */
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
  /** How many changes it took. */
  changes: number;
}

/** The changes since a snapshot. */
export interface SnapshotDiff {
  /** All of it, also what the lists have no room for. */
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
      /** The field that is the username of the users. */
      strategy: "phone" | "email";
      settings: Settings;
      /** An ISO 8601 instant in UTC with milliseconds. */
      createdAt: string;
      /** Of an app with `ttlSeconds`: when it is deleted if no request names it. */
      lease?: {
        ttlSeconds: number;
        /** An ISO 8601 instant in UTC with milliseconds. */
        expiresAt: string;
      };
      /** Only in the answer to a join token: opens the control API for this app alone. */
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
      /** The field that is the username of the users. */
      strategy: "phone" | "email";
      settings: Settings;
      /** An ISO 8601 instant in UTC with milliseconds. */
      createdAt: string;
      /** Of an app with `ttlSeconds`: when it is deleted if no request names it. */
      lease?: {
        ttlSeconds: number;
        /** An ISO 8601 instant in UTC with milliseconds. */
        expiresAt: string;
      };
      /** Only in the answer to a join token: opens the control API for this app alone. */
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
        /** The field that is the username of the users. */
        strategy: "phone" | "email";
        settings: Settings;
        /** An ISO 8601 instant in UTC with milliseconds. */
        createdAt: string;
        /** Of an app with `ttlSeconds`: when it is deleted if no request names it. */
        lease?: {
          ttlSeconds: number;
          /** An ISO 8601 instant in UTC with milliseconds. */
          expiresAt: string;
        };
        /** Only in the answer to a join token: opens the control API for this app alone. */
        accessToken?: string;
      };
      after: {
        appId: string;
        name: string;
        secret: string;
        /** The field that is the username of the users. */
        strategy: "phone" | "email";
        settings: Settings;
        /** An ISO 8601 instant in UTC with milliseconds. */
        createdAt: string;
        /** Of an app with `ttlSeconds`: when it is deleted if no request names it. */
        lease?: {
          ttlSeconds: number;
          /** An ISO 8601 instant in UTC with milliseconds. */
          expiresAt: string;
        };
        /** Only in the answer to a join token: opens the control API for this app alone. */
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
    /** `appId` `null`: the clock of all. */
    clocks: Array<{
      appId: string | null;
      /** `null`: the app went, or goes, by the clock of all. */
      before: {
        offsetSeconds: number;
        frozenAt: string | null;
      } | null;
      /** `null`: the app went, or goes, by the clock of all. */
      after: {
        offsetSeconds: number;
        frozenAt: string | null;
      } | null;
    }>;
  };
}

/** What a clock shows. */
export interface Clock {
  /** An ISO 8601 instant in UTC with milliseconds. */
  now: string;
  offsetSeconds: number;
  frozenAt: string | null;
}

/** How to set a clock; `{}` is real time. */
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
    /** GET stands for HEAD too. Absent: any. */
    method?: "GET" | "POST" | "PUT" | "DELETE";
    /** The path, without a query; a `*` at its end stands for whatever follows. */
    path?: string;
    /** Requests of this app. */
    appId?: string;
    to?: string;
  };
  /** The profile whose scenario it is; `null`: it was set here. */
  userId: string | null;
  /** The name of that scenario; `custom`: a fault of its own. */
  scenario: string | null;
  effect: {
    /** Real milliseconds to wait first; alone: the request is then carried out. */
    delayMs?: number;
    /** Answers this, and does nothing. */
    status?: number;
    /** With `status`: JSON, or a string, sent as plain text. Absent: the usual body of an error. */
    body?: unknown;
    /** Refuses just as the service does for this reason, on the operations that may refuse so. */
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
    /** Closes the connection without an answer. */
    drop?: true;
    /** Resets the connection (TCP RST). */
    reset?: true;
    /** The passcode is issued and 202 answered, but it does not arrive: `delivery` is `failed`. */
    undelivered?: true;
  };
  times: number | null;
  /** How many requests it has met. */
  used: number;
  /** How many it will still meet; `null`: no end. */
  remaining: number | null;
  /** An ISO 8601 instant in UTC with milliseconds. */
  createdAt: string;
}

/** A fault to set. */
export interface FaultInput {
  match?: {
    /** Absent: both. */
    listener?: "admin" | "auth";
    /** GET stands for HEAD too. Absent: any. */
    method?: "GET" | "POST" | "PUT" | "DELETE";
    /** The path, without a query; a `*` at its end stands for whatever follows. */
    path?: string;
    /** Requests of this app. */
    appId?: string;
    /** Session requests of this username: the recipient of passcodes. */
    to?: string;
  };
  effect: {
    /** Real milliseconds to wait first; alone: the request is then carried out. */
    delayMs?: number;
    /** Answers this, and does nothing. */
    status?: number;
    /** With `status`: JSON, or a string, sent as plain text. Absent: the usual body of an error. */
    body?: unknown;
    /** Refuses just as the service does for this reason, on the operations that may refuse so. */
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
    /** Closes the connection without an answer. */
    drop?: true;
    /** Resets the connection (TCP RST). */
    reset?: true;
    /** The passcode is issued and 202 answered, but it does not arrive: `delivery` is `failed`. */
    undelivered?: true;
  };
  /** How many requests it meets; then they recover. `null`: all. */
  times?: number | null;
}
