/**
 * Reads the body of an import while it arrives: its lists are parsed and checked some hundred entries at a time, so that
 * neither the text nor its values are ever in memory as a whole, and others are served in between.
 */
import type { IncomingMessage } from "node:http";
import { setImmediate as pause } from "node:timers/promises";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import type { TextFlaw } from "#contract/words/json-pieces.ts";
import { createWorldReader } from "#domain/import/world-reader.ts";

/** The lists of an app: `{"state": {"apps": [{"profiles": [`. */
const LEVEL = 5;
/** Maximum duration of a slice in milliseconds, but for one chunk. */
const SLICE_MS = 5;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The body, whose lists `parseState` knows; or why it is refused; or nothing, because the client disconnected. */
type ImportBody =
  | { readonly body: JsonObject }
  | { readonly flaw: TextFlaw | "body_too_large" | "body_not_object" }
  | "gone";

/** @param mostBytes its maximum size. */
export const readImport = async (req: IncomingMessage, mostBytes: number): Promise<ImportBody> => {
  const reader = createWorldReader(LEVEL, utf8);
  let size = 0;
  let endMs = performance.now() + SLICE_MS;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = chunk;
      size += bytes.length;
      if (size > mostBytes) return { flaw: "body_too_large" };
      reader.add(bytes);
      if (performance.now() < endMs) continue;
      await pause();
      endMs = performance.now() + SLICE_MS;
    }
  } catch (error) {
    if (req.errored !== null || req.destroyed) return "gone";
    throw error;
  }
  if (size === 0) return { body: {} };
  const read = reader.end();
  if ("flaw" in read) return read;
  return isJsonObject(read.value) ? { body: read.value } : { flaw: "body_not_object" };
};
