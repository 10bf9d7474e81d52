/**
 * Reads the body of an import while it arrives: its lists are parsed and checked some hundred entries at a time, so that
 * neither the text nor its values are ever in memory as a whole, and others are served in between.
 */
import type { IncomingMessage } from "node:http";
import { setImmediate as pause } from "node:timers/promises";
import { JsonPieces, type TextFlaw } from "#contract/json-pieces.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { EntryList, isListName, rememberChecked } from "#domain/import/entry-list.ts";

/** The lists of an app: `{"state": {"apps": [{"profiles": [`. */
const LEVEL = 5;
/** Maximum duration of a slice in milliseconds, but for one chunk. */
const SLICE_MS = 5;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const decode = (pieces: readonly Uint8Array[]): string | undefined => {
  try {
    return utf8.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
  } catch {
    return undefined;
  }
};

/**
 * @param level of nesting of the lists of an app.
 * @returns a reader of a text with a world in it; it checks the lists.
 */
export const createReader = (level: number): JsonPieces<EntryList> =>
  new JsonPieces(level, (key) => (isListName(key) ? new EntryList(key) : undefined), decode);

/** @returns what was read, where `parseState` knows the lists; or the flaw of the text. */
export const readBy = (reader: JsonPieces<EntryList>): { readonly value: JsonValue } | { readonly flaw: TextFlaw } => {
  const read = reader.end();
  if ("taken" in read) for (const [list, entries] of read.taken) rememberChecked(list, entries);
  return read;
};

/** The body, whose lists `parseState` knows; or why it is refused; or nothing, because the client disconnected. */
type ImportBody =
  | { readonly body: JsonObject }
  | { readonly flaw: TextFlaw | "body_too_large" | "body_not_object" }
  | "gone";

/** @param mostBytes its maximum size. */
export const readImport = async (req: IncomingMessage, mostBytes: number): Promise<ImportBody> => {
  const reader = createReader(LEVEL);
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
  const read = readBy(reader);
  if ("flaw" in read) return read;
  return isJsonObject(read.value) ? { body: read.value } : { flaw: "body_not_object" };
};
