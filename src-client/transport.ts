/** Sends requests to the control API. */
import { fieldsText, StagedoorError } from "./error.ts";
import type { Place } from "./place.ts";
import type { Tokens } from "./tokens.ts";

/** The options of a call. */
interface Call {
  /** Undefined entries are omitted. */
  readonly query?: object | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent instead: JSON in UTF-8. */
  readonly json?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The app concerned, if neither path, query nor body names it. */
  readonly appId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The methods of the control API. */
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** @see createTransport */
export interface Transport {
  readonly place: Place;
  readonly tokens: Tokens;
  /** @param path below `/emulator/v1/`. @returns a successful response. @throws StagedoorError; the signal's reason. */
  open(method: Method, path: string, call?: Call): Promise<Response>;
  /** Like `open`. @returns the parsed JSON body. */
  ask<T>(method: Method, path: string, call?: Call): Promise<T>;
  /** Like `open`, for a response without a body. */
  tell(method: Method, path: string, call?: Call): Promise<void>;
  /** Aborts every call. */
  readonly ended?: AbortSignal | undefined;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const words = (body: unknown): string => {
  if (typeof body !== "object" || body === null) return "It is no answer of Stagedoor's: is this its console URL?";
  return "instruction" in body && typeof body.instruction === "string" ? body.instruction : fieldsText(body);
};

/** Waits, at most until the signal aborts. */
const orAborted = (waiting: Promise<void>, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    waiting.then(resolve, reject);
  });

/**
 * @returns a new signal that aborts when any of them does; undefined if there are none. Never one of them: a fetch adds
 * a listener that stays until the next garbage collection, and Node warns of 1,500 at one signal.
 */
export const anySignal = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined => {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length === 0 ? undefined : AbortSignal.any(given);
};

/** @param ended aborts every call. */
export const createTransport = (place: Place, tokens: Tokens, ended?: AbortSignal): Transport => {
  const unreachable =
    (signal: AbortSignal | undefined) =>
    (cause: unknown): never => {
      ended?.throwIfAborted();
      signal?.throwIfAborted();
      const message = `No Stagedoor answers at ${place.consoleUrl}.${place.note}`;
      throw new StagedoorError(message, 0, "unreachable", undefined, { cause });
    };
  const open: Transport["open"] = async (method, path, { query = {}, body, headers = {}, appId, ...call } = {}) => {
    const signal = anySignal(ended, call.signal);
    const arriving = place.arrive();
    if (arriving !== undefined) await orAborted(arriving, signal);
    const url = new URL(`${place.consoleUrl}/emulator/v1/${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const sent = new Headers({ Accept: "application/json", ...headers });
    const token = tokens.of(method, path, { appId, ...query }, body);
    if (token !== undefined) sent.set("Authorization", `Bearer ${token}`);
    const init: RequestInit = { method, headers: sent, redirect: "error" };
    const json = call.json ?? (body === undefined ? undefined : JSON.stringify(body));
    if (json !== undefined) {
      sent.set("Content-Type", "application/json");
      init.body = json;
    }
    if (signal !== undefined) init.signal = signal;
    const response = await fetch(url, init).catch(unreachable(signal));
    const isStagedoor = response.headers.get("Emulator")?.startsWith("stagedoor/") === true;
    if (response.ok && isStagedoor) return response;
    const refused = parsed(await response.text());
    const reason = (isStagedoor ? response.headers.get("Emulator-Reason") : undefined) ?? "not_stagedoor";
    const lost = response.status === 401 ? tokens.lost(token) : "";
    const message = `${method} ${url.pathname}: ${response.status} ${reason}. ${lost}${words(refused)}${place.note}`;
    throw new StagedoorError(message, response.status, reason, refused);
  };
  return {
    place,
    tokens,
    ended,
    open,
    ask: async (method, path, call) => {
      const response = await open(method, path, call);
      // The connection can also fail while reading the body.
      const text = await response.text().catch(unreachable(call?.signal));
      try {
        return JSON.parse(text);
      } catch (cause) {
        const message = `What answers at ${place.consoleUrl} is not Stagedoor's console.`;
        throw new StagedoorError(message, response.status, "not_stagedoor", text, { cause });
      }
    },
    tell: async (method, path, call) => {
      const response = await open(method, path, call);
      await response.text().catch(unreachable(call?.signal));
    },
  };
};

/** @returns the same transport, whose calls end when the signal aborts. */
export const withSignal = ({ place, tokens, ended }: Transport, signal: AbortSignal): Transport =>
  createTransport(place, tokens, anySignal(signal, ended));

/** @returns an encoded path segment. */
export const segment = (text: string): string => encodeURIComponent(text);

/** @param state or its JSON in UTF-8. @returns what an import sends. */
export const bodyOf = (state: object, mode: string): Pick<Call, "body" | "json"> => {
  if (!(state instanceof Uint8Array)) return { body: { mode, state } };
  const encoder = new TextEncoder();
  // The mode after it counts, whatever the bytes hold.
  const [before, after] = [encoder.encode('{"state":'), encoder.encode(`,"mode":${JSON.stringify(mode)}}`)];
  const json = new Uint8Array(before.length + state.length + after.length);
  json.set(before);
  json.set(state, before.length);
  json.set(after, before.length + state.length);
  return { json };
};
