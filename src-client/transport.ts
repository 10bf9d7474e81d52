/** Sends requests to the control API. */
import { fieldsText, StagedoorError } from "./error.ts";
import type { Place } from "./place.ts";
import { joinSignals, readText, untilAborted } from "./signals.ts";
import type { Tokens } from "./tokens.ts";

/** The options of a call. */
interface Call {
  /** Undefined entries are omitted. */
  readonly query?: object | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent instead: JSON in UTF-8. */
  readonly json?: ArrayBuffer;
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
  /**
   * @param path below `/emulator/v1/`. @param call its signal alone ends the call, and is of no further use.
   * @returns a successful response. @throws StagedoorError; the signal's reason.
   */
  open(method: Method, path: string, call: Call & { readonly signal: AbortSignal }): Promise<Response>;
  /** @param path below `/emulator/v1/`. @returns the parsed JSON body. @throws StagedoorError; the signals' reason. */
  ask<T>(method: Method, path: string, call?: Call): Promise<T>;
  /** Like `ask`. @returns the body as text; empty if there is none. */
  text(method: Method, path: string, call?: Call): Promise<string>;
  /** Like `ask`, for a response without a body. */
  tell(method: Method, path: string, call?: Call): Promise<void>;
  /** Each ends every call but `open`. */
  readonly ends: readonly AbortSignal[];
}

/** @returns parsed JSON, or the text. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const words = (body: unknown): string => {
  if (typeof body !== "object" || body === null) return "The response is not from Stagedoor. Is this the console URL?";
  return "instruction" in body && typeof body.instruction === "string" ? body.instruction : fieldsText(body);
};

/** @returns that a URL has the wrong scheme, and the right one, after a space; empty: that is not why nothing responds. */
export const schemeWords = (url: string, failure: unknown): string => {
  const cause = failure instanceof Error ? (failure.cause ?? failure) : failure;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (!url.startsWith("https:") || !/^(?:ERR_SSL_|EPROTO)/.test(code)) return "";
  return ` That port is http: use ${url.replace(/^https/, "http")}`;
};

/** @param ends each ends every call. */
export const createTransport = (place: Place, tokens: Tokens, ends: readonly AbortSignal[] = []): Transport => {
  const unreachable =
    (signal: AbortSignal) =>
    (cause: unknown): never => {
      signal.throwIfAborted();
      const message = `Stagedoor does not respond at ${place.consoleUrl}.${schemeWords(place.consoleUrl, cause)}${place.silence ?? place.note}`;
      throw new StagedoorError(message, 0, "unreachable", undefined, { cause });
    };
  const open: Transport["open"] = async (method, path, { query = {}, body, headers = {}, appId, signal, ...call }) => {
    const arriving = place.arrive();
    if (arriving !== undefined) await untilAborted(arriving, signal);
    const url = new URL(`${place.consoleUrl}/emulator/v1/${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const sent = new Headers({ Accept: "application/json", ...headers });
    const token = tokens.of(method, path, { appId, ...query }, body);
    if (token !== undefined) sent.set("Authorization", `Bearer ${token}`);
    const init: RequestInit = { method, headers: sent, redirect: "error", signal };
    const json = call.json ?? (body === undefined ? undefined : JSON.stringify(body));
    if (json !== undefined) {
      sent.set("Content-Type", "application/json");
      init.body = json;
    }
    const response = await untilAborted(fetch(url, init), signal).catch(unreachable(signal));
    const isStagedoor = response.headers.get("Emulator")?.startsWith("stagedoor/") === true;
    if (response.ok && isStagedoor) return response;
    const refused = parsed(await readText(response, signal).catch(unreachable(signal)));
    const reason = (isStagedoor ? response.headers.get("Emulator-Reason") : undefined) ?? "not_stagedoor";
    const lost = response.status === 401 ? tokens.lost(token) : "";
    const message = `${method} ${url.pathname}: ${response.status} ${reason}. ${lost}${words(refused)}${place.note}`;
    throw new StagedoorError(message, response.status, reason, refused);
  };
  const receive = async (method: Method, path: string, call: Call = {}): Promise<[text: string, status: number]> => {
    const { signal, release } = joinSignals([...ends, call.signal]);
    try {
      const response = await open(method, path, { ...call, signal });
      // The connection can also fail while reading the body.
      return [await readText(response, signal).catch(unreachable(signal)), response.status];
    } finally {
      release();
    }
  };
  return {
    place,
    tokens,
    ends,
    open,
    ask: async (method, path, call) => {
      const [text, status] = await receive(method, path, call);
      try {
        return JSON.parse(text);
      } catch (cause) {
        const message = `The program at ${place.consoleUrl} is not Stagedoor's console.`;
        throw new StagedoorError(message, status, "not_stagedoor", text, { cause });
      }
    },
    text: async (method, path, call) => (await receive(method, path, call))[0],
    tell: async (method, path, call) => void (await receive(method, path, call)),
  };
};

/** @returns the same transport, whose calls end when the signal aborts. */
export const withSignal = ({ place, tokens, ends }: Transport, signal: AbortSignal): Transport =>
  createTransport(place, tokens, [signal, ...ends]);

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
  return { json: json.buffer };
};
