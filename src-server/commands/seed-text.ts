/**
 * The text of an import, made of a file's bytes without parsing them: the server parses and checks it, so that a large
 * file is parsed once. Only for files whose text says by itself where its objects begin and end.
 */
import { isUtf8 } from "node:buffer";
import type { JsonObject } from "#contract/scalars.ts";
import { delimiterOf, fieldName, headerErrors } from "#people/profile-rows.ts";

const [QUOTE, BACKSLASH, NEWLINE, COMMA] = [0x22, 0x5c, 0x0a, 0x2c] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const isBlank = (byte: number): boolean => byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;

/**
 * Skips an object. @param at of its brace. @param oneLine whether it must be on one line.
 * @returns the place after it; -1 if it does not end.
 */
const afterObject = (bytes: Uint8Array, at: number, oneLine: boolean): number => {
  let depth = 0;
  for (let i = at; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      for (i += 1; i < bytes.length && bytes[i] !== QUOTE; i += 1) if (bytes[i] === BACKSLASH) i += 1;
    } else if (byte === OPEN || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return i + 1;
    } else if (byte === NEWLINE && oneLine) return -1;
  }
  return -1;
};

/** @returns the text of a file with a world; undefined if it is not one JSON object, without a BOM. */
export const worldText = (bytes: Uint8Array): Uint8Array | undefined => {
  const start = bytes.findIndex((byte) => !isBlank(byte));
  if (bytes[start] !== OPEN) return undefined;
  const end = afterObject(bytes, start, false);
  return end !== -1 && bytes.subarray(end).every(isBlank) ? bytes : undefined;
};

/** @returns the text of a list of the objects in NDJSON; undefined if there is anything else. */
const listText = (bytes: Uint8Array): Uint8Array | undefined => {
  const list = Uint8Array.from(bytes);
  let newline = -1;
  for (let at = 0, count = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (isBlank(byte)) {
      if (byte === NEWLINE) newline = at;
      at += 1;
      continue;
    }
    if (byte !== OPEN || (count > 0 && newline === -1)) return undefined;
    if (count > 0) list[newline] = COMMA;
    at = afterObject(bytes, at, true);
    if (at === -1) return undefined;
    newline = -1;
    count += 1;
  }
  return list;
};

/** @param list the profiles of an app, without the brackets. @returns the text of a world with them. */
const worldWith = (app: JsonObject, ...list: readonly Uint8Array[]): Uint8Array => {
  const around = JSON.stringify({ version: 1, apps: [{ ...app, profiles: [] }] });
  const at = around.length - "]}]}".length;
  return Buffer.concat([Buffer.from(around.slice(0, at)), ...list, Buffer.from(around.slice(at))]);
};

/** @param app of the profiles. @returns the text of a world with the rows of an NDJSON file; undefined if not possible. */
export const ndjsonText = (bytes: Buffer, app: JsonObject): Uint8Array | undefined => {
  // Such columns are put together by `profile-rows.ts`.
  const list = bytes.includes('"metadata.') ? undefined : listText(bytes);
  return list === undefined ? undefined : worldWith(app, list);
};

/** What JSON or CSV would escape or quote. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these have to be escaped.
const SPECIAL = /["\\\u0000-\u0008\u000b-\u001f]/;

/** Characters of a piece of text. */
const PIECE = 16_384;

/** The same for a CSV file. */
export const csvText = (bytes: Buffer, app: JsonObject): Uint8Array | undefined => {
  const text = isUtf8(bytes)
    ? bytes
        .toString("utf8")
        .replace(/^\ufeff/, "")
        .replaceAll("\r\n", "\n")
    : '"';
  const delimiter = delimiterOf(text);
  if (SPECIAL.test(text) || (delimiter !== "\t" && text.includes("\t"))) return undefined;
  const head = /^.*/.exec(text)?.[0] ?? "";
  const names = head.split(delimiter).map(fieldName);
  const keys = names.map((name) => name.replace(/^metadata\./, ""));
  const isPlain = keys.every((key) => key !== "" && key !== "__proto__" && key !== "metadata" && !key.includes("."));
  if (!isPlain || headerErrors(names).length > 0) return undefined;
  const pieces: Buffer[] = [];
  // Short pieces, so that their parts are garbage soon.
  let piece = "";
  for (let at = head.length + 1, end = 0; at < text.length; at = end + 1) {
    end = text.indexOf("\n", at);
    if (end === -1) end = text.length;
    if (end === at) continue;
    const cells = text.slice(at, end).split(delimiter);
    if (cells.length !== names.length) return undefined;
    let fields = "";
    let metadata = "";
    for (const [i, key] of keys.entries()) {
      if (cells[i] === "") continue;
      const member = `"${key}":"${cells[i]}"`;
      if (key === names[i]) fields += fields === "" ? member : `,${member}`;
      else metadata += metadata === "" ? member : `,${member}`;
    }
    if (metadata !== "") fields += `${fields === "" ? "" : ","}"metadata":{${metadata}}`;
    piece += `${piece === "" && pieces.length === 0 ? "" : ","}{${fields}}`;
    if (piece.length < PIECE) continue;
    pieces.push(Buffer.from(piece));
    piece = "";
  }
  pieces.push(Buffer.from(piece));
  return worldWith(app, ...pieces);
};
