/**
 * Reads the body of a request once, and checks it on the way: kind, size, UTF-8, depth, JSON, object (CONTRACT 5).
 */
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type Problem, problem } from "#contract/problems.ts";
import type { JsonObject } from "#contract/scalars.ts";

/** Levels of nesting that a body may have. */
export const MAX_DEPTH = 32;
/** How long the rest of a refused body is read on, so that its sender sees the answer; milliseconds. */
const DRAIN_MS = 1_000;

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;\s*charset\s*=\s*"?([\w-]+)"?\s*)?;?\s*$/i;

/** @returns why this body cannot be one, by its headers alone; undefined if it may be read. */
const kindProblem = (req: IncomingMessage): Problem | undefined => {
  const { headers } = req;
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity" && encoding.trim() !== "")
    return { code: "encoded_body" };
  const type = headers["content-type"];
  const match = type === undefined ? null : JSON_TYPE.exec(type);
  if (match === null) return { code: "not_json" };
  const charset = match[1]?.toLowerCase();
  return charset === undefined || charset === "utf-8" || charset === "utf8" ? undefined : { code: "not_json" };
};

/** @returns whether a request with these headers says that it has a body. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Lets what still comes of the body come, for a while, so that the client sees the answer; a connection that has not
 * sent all by then is cut. (`Connection: close` would cut it at once, and the answer with it.)
 */
const drain = (req: IncomingMessage): void => {
  req.removeAllListeners("data");
  req.resume();
  const timer = setTimeout(() => req.socket.destroy(), DRAIN_MS);
  timer.unref();
  req.once("end", () => clearTimeout(timer));
  req.once("close", () => clearTimeout(timer));
};

const readAll = (req: IncomingMessage, limitBytes: number): Promise<Buffer | "too large" | "gone"> =>
  new Promise((resolve) => {
    if (Number(req.headers["content-length"] ?? 0) > limitBytes) {
      drain(req);
      resolve("too large");
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) {
        drain(req);
        resolve("too large");
      } else chunks.push(chunk);
    });
    req.once("end", () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
    req.once("close", () => resolve("gone"));
    req.once("error", () => resolve("gone"));
  });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** @returns whether the JSON text is nested deeper than allowed; one pass over the bytes, before the parser recurses. */
export const isTooDeep = (json: Buffer): boolean => {
  // Each level takes at least an opening and a closing byte.
  if (json.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth++;
      if (depth > MAX_DEPTH) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parse = (bytes: Buffer): { readonly body: JsonObject } | { readonly problem: Problem } => {
  if (!isUtf8(bytes)) return problem("body_not_utf8");
  if (isTooDeep(bytes)) return problem("body_too_deep");
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return problem("malformed_json");
  }
  return isObject(value) ? { body: value } : problem("body_not_object");
};

/**
 * For operations that read no body: one that is none of ours is refused all the same, so that no form of a web page
 * sets anything off.
 */
export const refuseStrangeBody = (req: IncomingMessage): Problem | undefined => {
  const refused = hasBody(req.headers) ? kindProblem(req) : undefined;
  if (refused !== undefined) drain(req);
  return refused;
};

/** What was read: the object and its bytes, a refusal, or nothing because the client went away. */
export type ReadBody =
  | { readonly body: JsonObject; readonly bytes: Buffer | null }
  | { readonly problem: Problem; readonly bytes: Buffer | null }
  | "gone";

const NO_BODY: ReadBody = { body: {}, bytes: null };

/**
 * Reads the JSON object of a request; an absent body counts as `{}` (D1).
 * @param limitBytes most bytes; more is refused before it is read whole.
 */
export const readJsonObject = async (req: IncomingMessage, limitBytes: number): Promise<ReadBody> => {
  if (!hasBody(req.headers)) return NO_BODY;
  const refused = kindProblem(req);
  if (refused !== undefined) {
    drain(req);
    return { problem: refused, bytes: null };
  }
  const bytes = await readAll(req, limitBytes);
  if (bytes === "gone") return "gone";
  if (bytes === "too large") return { ...problem("body_too_large"), bytes: null };
  if (bytes.length === 0) return NO_BODY;
  return { ...parse(bytes), bytes };
};
