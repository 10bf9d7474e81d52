/** The session interface as used by the demo app, only through the auth URL that the page came from. */
import type { DemoApp } from "#contract/control/demo.ts";
import { isObject, wireBody } from "#contract/service/wire-body.ts";

/** An app, with its id. */
export type App = DemoApp & { readonly appId: string };

/** A session. */
export interface Session {
  /** From issue to expiry by the service clock, which may differ from ours. */
  readonly lifetimeSeconds: number;
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
  /** The field errors of a 422. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The Retry-After header. */
  readonly retrySeconds: number | undefined;
}

/** The result of a call, and its id in the request log; null without a response. */
export type Reply<T> = ({ readonly value: T } | { readonly failure: Failure }) & { readonly requestId: string | null };

const UNREACHABLE: Failure = { status: 0, reason: "unreachable", fields: {}, retrySeconds: undefined };

const failureOf = ({ status, headers }: Response, body: unknown): Failure => {
  const errors = isObject(body) && isObject(body["errors"]) ? body["errors"] : body;
  const retry = Number(headers.get("Retry-After") ?? Number.NaN);
  return {
    status,
    reason: headers.get("Emulator-Reason") ?? "",
    fields: isObject(errors) && status === 422 ? errors : {},
    retrySeconds: Number.isFinite(retry) ? retry : undefined,
  };
};

/** @param read takes the value from a body; what it throws counts as no response. */
const call = async <T>(
  path: string,
  init: RequestInit,
  read: (body: unknown, status: number) => T,
): Promise<Reply<T>> => {
  try {
    const response = await fetch(path, { cache: "no-store", ...init });
    const text = await response.text();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const requestId = response.headers.get("Emulator-Request-Id");
    if (!response.ok) return { failure: failureOf(response, body), requestId };
    return { value: read(body, response.status), requestId };
  } catch {
    return { failure: UNREACHABLE, requestId: null };
  }
};

const hasTexts = (body: unknown): body is Pick<DemoApp, "texts"> => isObject(body) && isObject(body["texts"]);
const isApp = (body: unknown): body is DemoApp => hasTexts(body) && "wire" in body && "brand" in body;

/** @returns what the server put into the page: the app in its link, if it knows it, and texts in any case. */
export const givenIn = (content: string, appId: string): Pick<DemoApp, "texts"> & { readonly app: App | undefined } => {
  const given: unknown = JSON.parse(content);
  if (!hasTexts(given)) throw new TypeError("The page has no texts.");
  return { texts: given.texts, app: isApp(given) ? { ...given, appId } : undefined };
};

/** @returns the details of an app. */
export const readApp = (appId: string): Promise<Reply<App>> =>
  call(`/emulator/app?${new URLSearchParams({ appId })}`, {}, (body) => {
    if (!isApp(body)) throw new TypeError("not an app");
    return { ...body, appId };
  });

/** @returns seconds from issue to expiry of a JWT; NaN if it is unreadable. */
const lifetimeOf = (token: string): number => {
  try {
    const claims = atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const { iat, exp }: Readonly<Record<string, unknown>> = JSON.parse(claims);
    return Number(exp) - Number(iat);
  } catch {
    return Number.NaN;
  }
};

/** Signs a new user up or asks for a code; with a code, signs in. @returns the session; null if a code was sent. */
export const signIn = (app: App, { username, name }: User, code?: string): Promise<Reply<Session | null>> => {
  const init = {
    method: code === undefined ? "POST" : "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wireBody(app.wire, app, username, code, name)),
  };
  return call("/v1/users/session", init, (body, status) => {
    if (status === 202) return null;
    const token = String((isObject(body) && body["token"]) || "");
    return { lifetimeSeconds: lifetimeOf(token), token };
  });
};

/** Ends a session, in an app that has this extension; without a response it stays. */
export const signOut = (token: string): Promise<Reply<null>> =>
  call("/v1/users/session", { method: "DELETE", headers: { Authorization: `Bearer ${token}` } }, () => null);
