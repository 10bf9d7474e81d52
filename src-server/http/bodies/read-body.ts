/** Reads a request body once, checking type, size, UTF-8, depth, JSON and object on the way. */
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { BOUNDS } from "#contract/bounds.ts";
import { isJsonObject, type JsonDraft, type JsonObject, setKey } from "#contract/scalars.ts";
import { type Problem, problem } from "#contract/service/problems.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import type { BodiesUnderWay, UnderWay, Weigh } from "./bodies-under-way.ts";
import { shapeProblem } from "./body-shape.ts";
import { Gathered } from "./gathered.ts";
import { encodingSentence, flawSentence } from "./json-flaw.ts";

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json$/i;
/** A parameter after its semicolon; a quoted value may have semicolons, and escapes. */
const PARAMETER =
  /[ \t]*;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]+)))?[ \t]*/y;
const CHARSET = /^(utf-?8|us-ascii)$/i;

/** @returns whether a media type is JSON in UTF-8, which includes ASCII; other parameters say nothing. */
const isJson = (type: string): boolean => {
  const name = /^[^;]*/.exec(type)?.[0] ?? "";
  if (!JSON_TYPE.test(name.trim())) return false;
  for (let at = name.length; at < type.length; at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(type);
    if (found === null) return false;
    const [, key = "", quoted, plain] = found;
    if (key.toLowerCase() === "charset" && !CHARSET.test(quoted ?? plain ?? "")) return false;
  }
  return true;
};

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

const isForm = ({ headers }: IncomingMessage): boolean => FORM_TYPE.test(headers["content-type"] ?? "");

/** @returns why the headers rule this body out; undefined if it can be read. @param form whether forms are allowed. */
const kindProblem = (req: IncomingMessage, form = false): Problem | undefined => {
  const { "content-encoding": encoding = "", "content-type": type = "", "transfer-encoding": coding } = req.headers;
  if (!["identity", ""].includes(encoding.trim().toLowerCase())) return { code: "encoded_body" };
  // Node reads what is compressed, too, as if it were only in chunks.
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") return { code: "encoded_body" };
  if (form && isForm(req)) return undefined;
  return type.length <= BOUNDS.mediaTypeLength.most && isJson(type) ? undefined : { code: "not_json" };
};

/** @returns whether these headers announce a body. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** @returns whether the client waits for a 100 before it sends the body, as Node reads it. */
export const expectsContinue = ({ headers: { expect = "" } }: IncomingMessage): boolean =>
  /(?:^|\W)100-continue(?:$|\W)/i.test(expect);

/** Reads on for a while, so that the client sees the response, which `Connection: close` would lose. */
const drain = (req: IncomingMessage): void => {
  req.removeAllListeners("data");
  req.resume();
  const timer = setTimeout(() => req.socket.destroy(), BOUNDS.drainMs.most).unref();
  req.once("end", () => clearTimeout(timer)).once("close", () => clearTimeout(timer));
};

/** How long a client that sends tiny chunks has for reading the response, in milliseconds. */
const TINY_PIECES_MS = 10;

/** Reads no further, because tiny chunks cost more to receive than to send; then closes the connection. */
const stopReading = (req: IncomingMessage): void => {
  // Those that have arrived are dropped before the stream keeps a buffer and schedules a tick for each.
  req.push = () => true;
  req.socket.pause();
  setTimeout(() => req.socket.destroy(), TINY_PIECES_MS).unref();
};

/** Limits of a body. */
export interface BodyLimits {
  /** Maximum size in bytes; a larger body is refused before it is read completely. */
  readonly bytes: number;
  readonly entries: number;
  /** Whether a form is accepted instead of JSON. */
  readonly form?: boolean;
  /** Refuses a body while it arrives; absent: it is not weighed. */
  readonly weigh?: Weigh | undefined;
  /** Where unfinished bodies are counted; absent: they are not. */
  readonly underWay?: BodiesUnderWay;
}

/** Express adds the response. */
type Incoming = IncomingMessage & { readonly res?: ServerResponse | undefined };

const readAll = (
  req: Incoming,
  { bytes, entries, underWay, weigh }: BodyLimits,
): Promise<Buffer | Problem | "body_too_large" | "body_too_complex" | "gone" | "closed"> =>
  new Promise((resolve) => {
    const declared = Number(req.headers["content-length"] ?? 0);
    if (declared > bytes) {
      drain(req);
      return resolve("body_too_large");
    }
    if (expectsContinue(req)) req.res?.writeContinue();
    const gathered = new Gathered(bytes, declared === 0 && Number.isFinite(entries));
    const body: UnderWay = {
      bytes: 0,
      close: () => {
        req.removeAllListeners("data");
        req.socket.destroy();
        // Deferred, because the parser may still be reading the last chunk.
        queueMicrotask(() => gathered.release());
        resolve("closed");
      },
    };
    const end = (how: Awaited<ReturnType<typeof readAll>>): void => {
      underWay?.end(body);
      resolve(how);
    };
    req.on("data", (piece: Buffer) => {
      const refused = gathered.add(piece) ?? weigh?.(piece);
      if (refused === undefined) return underWay?.grow(body, gathered.capacity);
      end(refused);
      if (refused === "body_too_complex") stopReading(req);
      else drain(req);
    });
    req.once("end", () => end(gathered.whole()));
    req.once("close", () => end("gone"));
    req.once("error", () => end("gone"));
  });

const notObjectSentence = (value: unknown): string => {
  if (typeof value === "string")
    return isJsonObject(parsedJson(value))
      ? "The body is JSON within a string: it was encoded twice. Send the JSON object itself."
      : "The body is a JSON string. Send a JSON object.";
  const what = Array.isArray(value) ? "a JSON array" : value === null ? "null" : `the ${typeof value} ${String(value)}`;
  return `The body is ${what}. Send a JSON object.`;
};

const parseObject = (
  bytes: Buffer,
  mostEntries: number,
): { readonly body: JsonObject } | { readonly problem: Problem } => {
  if (!isUtf8(bytes)) return problem("body_not_utf8", { instruction: encodingSentence(bytes) });
  const shape = shapeProblem(bytes, mostEntries);
  if (shape !== undefined) return problem(shape);
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  const value = parsedJson(text);
  if (value === undefined) return problem("malformed_json", { instruction: flawSentence(text) });
  return isJsonObject(value) ? { body: value } : problem("body_not_object", { instruction: notObjectSentence(value) });
};

/** Each field as text; a repeated one as an array, which no form schema allows. */
const parseForm = (bytes: Buffer): { readonly body: JsonObject } => {
  const fields = new URLSearchParams(bytes.toString("utf8"));
  const body: JsonDraft = {};
  for (const name of new Set(fields.keys())) {
    const [value = "", ...more] = fields.getAll(name);
    setKey(body, name, more.length === 0 ? value : [value, ...more]);
  }
  return { body };
};

/** The object and its bytes, or a refusal; or nothing: the client left, or was closed to free memory. */
export type ReadBody =
  | { readonly body: JsonObject; readonly bytes: Buffer | null }
  | { readonly problem: Problem; readonly bytes: Buffer | null }
  | "gone"
  | "closed";

/** Shared by all requests without a body, so it is read-only. */
const NO_BODY: ReadBody = Object.freeze({ body: Object.freeze({}), bytes: null });

/** Reads the JSON object of a request; an absent body counts as `{}` (D1). */
export const readJsonObject = async (req: Incoming, limits: BodyLimits): Promise<ReadBody> => {
  if (!hasBody(req.headers)) return NO_BODY;
  const refused = kindProblem(req, limits.form);
  if (refused !== undefined) {
    drain(req);
    return { problem: refused, bytes: null };
  }
  const bytes = await readAll(req, limits);
  if (bytes === "gone" || bytes === "closed") return bytes;
  if (typeof bytes === "string") return { ...problem(bytes), bytes: null };
  if ("code" in bytes) return { problem: bytes, bytes: null };
  if (bytes.length === 0) return NO_BODY;
  return { ...(isForm(req) ? parseForm(bytes) : parseObject(bytes, limits.entries)), bytes };
};
