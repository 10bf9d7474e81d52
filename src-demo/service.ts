/** The session interface as used by the demo app, only through the auth URL that the page came from (CONTRACT 10). */

/** The response of GET /emulator/app. */
export interface App {
  readonly name: string;
  readonly strategy: "phone" | "email";
  readonly passcodeLength: number;
  readonly wire: {
    readonly envelope: string | null;
    readonly appIdField: string;
    readonly userField: string | null;
    readonly passcodeField: string;
  };
  readonly brand: { readonly name: string | null; readonly color: string | null; readonly logo: string | null };
}

/** A session. */
export interface Session {
  /** From issue to expiry by the service clock, which may differ from ours. */
  readonly lifetimeSeconds: number;
  readonly userId: string;
  readonly token: string;
}

/** A user as typed. */
export interface User {
  readonly username: string;
  readonly name: string;
}

/** Why a call failed. */
export interface Failure {
  /** 0: no response. */
  readonly status: number;
  /** The Emulator-Reason header. */
  readonly reason: string;
  /** Additional text for the user: field errors of a 422. */
  readonly detail: string;
  /** The Retry-After header. */
  readonly retrySeconds: number | undefined;
}

/** The result of a call, and its id in the request log; null without a response. */
export type Reply<T> = ({ readonly value: T } | { readonly failure: Failure }) & { readonly requestId: string | null };

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

const failureOf = (response: Response, body: unknown): Failure => {
  const errors = isJson(body) && isJson(body["errors"]) ? body["errors"] : body;
  const fields = isJson(errors) && response.status === 422 ? Object.values(errors).flat() : [];
  const retry = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return {
    status: response.status,
    reason: response.headers.get("Emulator-Reason") ?? "",
    detail: fields.map(String).join(", "),
    retrySeconds: Number.isFinite(retry) ? retry : undefined,
  };
};

let offline = false;
/** Makes every call fail before it is sent, as without a network. */
export const goOffline = (on: boolean): void => {
  offline = on;
};

const call = async <T>(
  path: string,
  init: RequestInit,
  read: (status: number, body: unknown) => T,
): Promise<Reply<T>> => {
  let response: Response;
  let body: unknown;
  try {
    if (offline) throw new TypeError("offline");
    response = await fetch(path, { cache: "no-store", ...init });
    const text = await response.text();
    body = text === "" ? undefined : JSON.parse(text);
  } catch {
    const failure = { status: 0, reason: "unreachable", detail: "", retrySeconds: undefined };
    return { failure, requestId: null };
  }
  const requestId = response.headers.get("Emulator-Request-Id");
  const came = response.ok ? { value: read(response.status, body) } : { failure: failureOf(response, body) };
  return { ...came, requestId };
};

const textIn = (from: Json, name: string): string | null => {
  const value = from[name];
  return typeof value === "string" ? value : null;
};

const appIn = (body: unknown): App => {
  const app = isJson(body) ? body : {};
  const wire = isJson(app["wire"]) ? app["wire"] : {};
  const brand = isJson(app["brand"]) ? app["brand"] : {};
  return {
    name: textIn(app, "name") ?? "",
    strategy: app["strategy"] === "email" ? "email" : "phone",
    passcodeLength: Number(app["passcodeLength"]),
    wire: {
      envelope: textIn(wire, "envelope"),
      appIdField: textIn(wire, "appIdField") ?? "appId",
      userField: textIn(wire, "userField"),
      passcodeField: textIn(wire, "passcodeField") ?? "passcode",
    },
    brand: { name: textIn(brand, "name"), color: textIn(brand, "color"), logo: textIn(brand, "logo") },
  };
};

/** @returns the details of an app. */
export const readApp = (appId: string): Promise<Reply<App>> =>
  call(`/emulator/app?appId=${encodeURIComponent(appId)}`, {}, (_status, body) => appIn(body));

/** @returns the body of a session request in the app's wire shape. */
const bodyOf = ({ strategy, wire }: App, appId: string, user: User, passcode?: string): Json => {
  const fields: Record<string, unknown> = { [strategy]: user.username };
  if (user.name !== "") fields["name"] = user.name;
  const inside: Record<string, unknown> = { [wire.appIdField]: appId };
  if (wire.userField === null) Object.assign(inside, fields);
  else inside[wire.userField] = fields;
  if (passcode !== undefined) {
    const [root = "", leaf] = wire.passcodeField.split(".");
    const group = inside[root];
    if (leaf === undefined) inside[root] = passcode;
    else inside[root] = { ...(isJson(group) ? group : {}), [leaf]: passcode };
  }
  return wire.envelope === null ? inside : { [wire.envelope]: inside };
};

const send = (method: string, body: Json): RequestInit => ({
  method,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** @returns the claims of a JWT; empty if it is unreadable. */
const claimsOf = (token: string): Json => {
  try {
    const claims: unknown = JSON.parse(atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")));
    return isJson(claims) ? claims : {};
  } catch {
    return {};
  }
};

const sessionIn = (body: unknown): Session => {
  const session = isJson(body) ? body : {};
  const token = textIn(session, "token") ?? "";
  const { iat, exp } = claimsOf(token);
  return { lifetimeSeconds: Number(exp) - Number(iat), userId: textIn(session, "userId") ?? "", token };
};

/** Signs the user up, or requests a code. @returns the session of a new user; null if a code was sent. */
export const start = (app: App, appId: string, user: User): Promise<Reply<Session | null>> =>
  call("/v1/users/session", send("POST", bodyOf(app, appId, user)), (status, body) =>
    status === 202 ? null : sessionIn(body),
  );

/** @returns the session of an existing user with this code. */
export const authenticate = (app: App, appId: string, user: User, code: string): Promise<Reply<Session>> =>
  call("/v1/users/session", send("PUT", bodyOf(app, appId, user, code)), (_status, body) => sessionIn(body));
