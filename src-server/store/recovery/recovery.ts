/**
 * Starts on existing data, in two steps. `readData` reads the document file and the journals and changes no file. Only
 * if nothing is wrong, `mendData` cleans up after a crash.
 */
import { isUtf8 } from "node:buffer";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { pathText } from "#contract/validation.ts";
import { placesInJson, readJson } from "#contract/words/json-text.ts";
import { type DataDir, journalNumbers, syncNames } from "../disk/data-dir.ts";
import { attempt, closing, cutDurably, syncDir, underFreeName, writeDurably } from "../disk/files.ts";
import { checkDocument, keyFlaw, treeFlaw } from "../document/check.ts";
import { isNewer, versionFlaw } from "../document/document.ts";
import { versionOf } from "../document/file.ts";
import { damaged, errorText, type Flaw, StoreFailure } from "../failure.ts";
import { WorldIndex } from "../index/indexes.ts";
import { type JournalsRead, readBytes, readJournals, type Torn } from "./read-journal.ts";

/** @param key a signing key from the data, a private JWK. @returns what is wrong with it; undefined if it is usable. */
export type CheckKey = (key: JsonObject) => string | undefined;

/** The data that was found. */
export interface FoundData extends JournalsRead {
  readonly index: WorldIndex;
  /** The number of the last change in the document file, its size in bytes, and its version. */
  readonly documentSeq: number;
  readonly documentSize: number;
  readonly documentVersion: string | undefined;
  /** The document file was edited by hand and records were renumbered, so it must be written before anything else. */
  readonly edited: boolean;
  readonly journals: readonly number[];
}

const hasByteOrderMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** @returns the offset of the first byte that is not UTF-8. */
const utf8FlawAt = (bytes: Buffer): number => {
  const again = Buffer.from(bytes.toString("utf8"), "utf8");
  const at = bytes.findIndex((byte, place) => byte !== again[place]);
  return at === -1 ? bytes.length : at;
};

/** Reads and validates the document file. @param alone whether there is no journal. @throws StoreFailure */
const loadDocument = (
  file: string,
  bytes: Buffer,
  alone: boolean,
  checkKey: CheckKey,
): Pick<FoundData, "index" | "edited"> => {
  if (!isUtf8(bytes)) throw damaged("document", file, utf8FlawAt(bytes), "is not UTF-8");
  const start = hasByteOrderMark(bytes) ? 3 : 0;
  const text = bytes.toString("utf8", start);
  const damage = (offset: number, what: string, kind: "document" | "newer" = "document"): StoreFailure =>
    damaged(kind, file, start + Buffer.byteLength(text.slice(0, offset)), what);
  const at = ({ path: steps, message }: Flaw, kind?: "newer"): StoreFailure => {
    const named = pathText(steps);
    const { offset = 0 } = placesInJson(text, [named]).get(named) ?? {};
    return damage(offset, named === "" ? message : `${named}: ${message}`, kind);
  };
  if (text.trim() === "") throw damage(0, "is empty");
  // The depth is checked below.
  const read = readJson(text, { levels: Number.POSITIVE_INFINITY });
  if ("error" in read) throw damage(read.error.offset, "is not JSON from here on");
  const { value } = read;
  const tree = treeFlaw(value);
  if (tree !== undefined) throw at(tree);
  if (!isJsonObject(value)) throw at({ path: [], message: "does not contain a JSON object" });
  const { version } = value;
  const message = versionFlaw(version);
  if (message !== undefined) throw at({ path: ["version"], message }, isNewer(version) ? "newer" : undefined);
  const checked = checkDocument(value, alone);
  if ("flaw" in checked) throw at(checked.flaw);
  const index = new WorldIndex(checked.document);
  const flaw = index.flaw() ?? keyFlaw(checked.document, checkKey);
  if (flaw !== undefined) throw at(flaw);
  return { index, edited: alone && checked.edited };
};

/** Truncates the torn end after backing it up. @returns the message to show. */
const cutTorn = (dir: DataDir, { number, end, bytes }: Torn): string => {
  const { files } = dir;
  const file = dir.journal(number);
  try {
    const keep = (name: string): void => writeDurably(files, name, bytes);
    const kept = bytes.length === 0 ? undefined : underFreeName(`${file}.torn-${end}`, keep);
    if (end === 0) files.remove(file);
    else cutDurably(files, file, end);
    syncDir(files, dir.path);
    if (kept === undefined) return `recovered ${file}: it was empty, as after a crash, and was deleted`;
    const cut = `the last write was cut short, so ${bytes.length} bytes from byte ${end} on were cut off`;
    return `recovered ${file}: ${cut}; they are kept in ${kept}`;
  } catch (error) {
    const what = `${file}, byte ${end}: the last write was cut short, and it cannot be cut off: ${errorText(error)}.`;
    const advice = "Free some space and check that the file can be written, then start again.";
    throw new StoreFailure(1, what, { file, offset: end, advice, cause: error });
  }
};

/** Reads the data, changing nothing. @returns undefined if none. @throws StoreFailure 3: damage, 1: no access. */
export const readData = (dir: DataDir, checkKey: CheckKey = () => undefined): FoundData | undefined => {
  const found = journalNumbers(dir);
  // Taken before the file is read, so that an edit in between is detected.
  const documentVersion = versionOf(dir.files, dir.target);
  if (documentVersion === undefined) {
    if (found[0] === undefined) return undefined;
    const what = `is missing, but ${dir.journal(found[0])} exists, which continues it`;
    throw damaged("missing", dir.document, undefined, what);
  }
  const bytes = readBytes(dir, dir.document);
  const loaded = loadDocument(dir.document, bytes, found.length === 0, checkKey);
  const document = { documentSeq: loaded.index.seq, documentSize: bytes.length, documentVersion };
  return { ...loaded, ...document, ...readJournals(dir, loaded.index, found), journals: found };
};

/**
 * Truncates a torn end, and syncs what a killed process left in the kernel's buffers, before anything builds on it.
 * @param onNotice called with what was done. @throws StoreFailure exit status 1 if the disk fails; Node errors.
 */
export const mendData = (
  dir: DataDir,
  { torn, journals, obsolete }: FoundData,
  onNotice: (text: string) => void,
): void => {
  const { files } = dir;
  if (torn !== undefined) onNotice(cutTorn(dir, torn));
  for (const number of journals) {
    const isGone = torn?.end === 0 && torn.number === number;
    if (!isGone && !obsolete.includes(number)) closing(files, files.open(dir.journal(number)), files.sync);
  }
  // The document file's name too, because the journals that it made obsolete are removed next.
  syncNames(dir);
  for (const number of obsolete) attempt(() => files.remove(dir.journal(number)));
  attempt(() => {
    if ((files.stat(dir.target).mode & 0o077) !== 0) files.setMode(dir.target, 0o600);
  });
};
