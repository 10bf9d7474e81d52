/** Reads the body of a request once, and checks it on the way: kind, size, UTF-8, depth, JSON, object (CONTRACT 5). */
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { BOUNDS } from "#contract/bounds.ts";
import { type Problem, problem } from "#contract/problems.ts";
import { isJsonObject, type JsonObject, setKey } from "#contract/scalars.ts";
import type { BodiesUnderWay, UnderWay } from "./bodies-under-way.ts";
import { shapeProblem } from "./body-shape.ts";
import { Gathered } from "./gathered.ts";

/** Each run of blanks has something that must stand before the next: there is one way to read any text. */
const JSON_TYPE =
  /^application\/(?:[\w.!#$&^-]+\+)?json[ \t]*(?:;[ \t]*(?:charset[ \t]*=[ \t]*"?([\w-]+)"?[ \t]*(?:;[ \t]*)?)?)?$/i;

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/** @returns whether the body says that it is a form, with its fields as `name=value&…`. */
const isForm = ({ headers }: IncomingMessage): boolean => FORM_TYPE.test(headers["content-type"] ?? "");

/** @returns why this body cannot be one, by its headers alone; undefined if it may be read. @param form whether it may be a form. */
const kindProblem = (req: IncomingMessage, form = false): Problem | undefined => {
  const { headers } = req;
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity" && encoding.trim() !== "")
    return { code: "encoded_body" };
  if (form && isForm(req)) return undefined;
  const type = headers["content-type"];
  const match = type === undefined || type.length > BOUNDS.mediaTypeLength.most ? null : JSON_TYPE.exec(type);
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
const drain = (req: IncomingMessage, ms: number = BOUNDS.drainMs.most): void => {
  req.removeAllListeners("data");
  req.resume();
  const timer = setTimeout(() => req.socket.destroy(), ms).unref();
  req.once("end", () => clearTimeout(timer));
  req.once("close", () => clearTimeout(timer));
};

/** For whoever sends tiny pieces: each costs more to take than to send. */
const TINY_PIECES_MS = 10;

/** How a body may be. */
export interface BodyLimits {
  /** Most bytes; more is refused before it is read whole. */
  readonly bytes: number;
  /** Most keys and values. */
  readonly entries: number;
  /** Whether it may be a form instead of JSON. */
  readonly form?: boolean;
  /** Where the body is counted while it comes; absent: it is not. */
  readonly underWay?: BodiesUnderWay;
}

const readAll = (
  req: IncomingMessage,
  { bytes, entries, underWay }: BodyLimits,
): Promise<Buffer | "body_too_large" | "body_too_complex" | "gone" | "closed"> =>
  new Promise((resolve) => {
    const declared = Number(req.headers["content-length"] ?? 0);
    if (declared > bytes) {
      drain(req);
      resolve("body_too_large");
      return;
    }
    const gathered = new Gathered(bytes, declared === 0 && Number.isFinite(entries));
    const body: UnderWay = {
      bytes: 0,
      close: () => {
        req.removeAllListeners("data");
        req.socket.destroy();
        // After the parser's turn, which may still be reading the last piece.
        queueMicrotask(() => gathered.release());
        resolve("closed");
      },
    };
    const end = (how: Awaited<ReturnType<typeof readAll>>): void => {
      underWay?.end(body);
      resolve(how);
    };
    req.on("data", (piece: Buffer) => {
      const refused = gathered.add(piece);
      if (refused === undefined) {
        underWay?.grow(body, gathered.capacity);
        return;
      }
      end(refused);
      if (refused === "body_too_complex") drain(req, TINY_PIECES_MS);
      else drain(req);
    });
    req.once("end", () => end(gathered.whole()));
    req.once("close", () => end("gone"));
    req.once("error", () => end("gone"));
  });

const parse = (bytes: Buffer, mostEntries: number): { readonly body: JsonObject } | { readonly problem: Problem } => {
  if (!isUtf8(bytes)) return problem("body_not_utf8");
  const shape = shapeProblem(bytes, mostEntries);
  if (shape !== undefined) return problem(shape);
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return problem("malformed_json");
  }
  return isJsonObject(value) ? { body: value } : problem("body_not_object");
};

/** Each field as text; one that stands twice has the texts, which no schema of a form allows. */
const parseForm = (bytes: Buffer): { readonly body: JsonObject } => {
  const fields = new URLSearchParams(bytes.toString("utf8"));
  const body: JsonObject = {};
  for (const name of new Set(fields.keys())) {
    const [value = "", ...more] = fields.getAll(name);
    setKey(body, name, more.length === 0 ? value : [value, ...more]);
  }
  return { body };
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

/**
 * What was read: the object and its bytes, or a refusal; or nothing, because the client went away, or because it was
 * closed to make room for others.
 */
export type ReadBody =
  | { readonly body: JsonObject; readonly bytes: Buffer | null }
  | { readonly problem: Problem; readonly bytes: Buffer | null }
  | "gone"
  | "closed";

const NO_BODY: ReadBody = { body: {}, bytes: null };

/** Reads the JSON object of a request; an absent body counts as `{}` (D1). */
export const readJsonObject = async (req: IncomingMessage, limits: BodyLimits): Promise<ReadBody> => {
  if (!hasBody(req.headers)) return NO_BODY;
  const refused = kindProblem(req, limits.form);
  if (refused !== undefined) {
    drain(req);
    return { problem: refused, bytes: null };
  }
  const bytes = await readAll(req, limits);
  if (bytes === "gone" || bytes === "closed") return bytes;
  if (typeof bytes === "string") return { ...problem(bytes), bytes: null };
  if (bytes.length === 0) return NO_BODY;
  return { ...(isForm(req) ? parseForm(bytes) : parse(bytes, limits.entries)), bytes };
};
