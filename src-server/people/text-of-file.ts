/** The text of a file of users, whatever it is encoded in. */
import { encodingOf } from "#contract/control/fixture-source.ts";
import { counted } from "#contract/words/words.ts";

/** Decodes bytes. @returns undefined if `isStrict` and they are not of this encoding. */
export type DecodeAs = (bytes: Uint8Array, encoding: string, isStrict: boolean) => string | undefined;

/** A text without BOM. `notice`: a sentence about an encoding that was guessed. `why` it is none, to follow its name. */
export interface FileText {
  readonly text: string;
  readonly notice?: string;
  readonly why?: string;
}

const [LINE_FEED, REPLACED] = [0x0a, "\ufffd"] as const;
const BOMS = [
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
  [[0xef, 0xbb, 0xbf], "utf-8"],
] as const;
/** What Windows-1252 has from 0x80 to 0x9F; some decoders leave these characters as they are. */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

const windows1252 = (bytes: Uint8Array, decodeAs: DecodeAs): string =>
  (decodeAs(bytes, "windows-1252", false) ?? "").replaceAll(
    /[\u0080-\u009f]/g,
    (control) => WINDOWS[control.charCodeAt(0) - 0x80] ?? control,
  );

const utf8Length = (text: string): number =>
  [...text].reduce((size, one) => {
    const code = one.codePointAt(0) ?? 0;
    return size + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4);
  }, 0);

/** The lines of bytes that are no UTF-8, and the first byte that is not. */
const badLines = (
  bytes: Uint8Array,
  decodeAs: DecodeAs,
): readonly { readonly line: number; readonly byte: number }[] => {
  const bad: { line: number; byte: number }[] = [];
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const next = bytes.indexOf(LINE_FEED, start);
    const end = next === -1 ? bytes.length : next;
    const content = bytes.subarray(start, end);
    if (decodeAs(content, "utf-8", true) === undefined) {
      const before = (decodeAs(content, "utf-8", false) ?? "").split(REPLACED)[0] ?? "";
      bad.push({ line, byte: content[utf8Length(before)] ?? 0 });
    }
    start = end + 1;
  }
  return bad;
};

/** This many lines are named. */
const MOST_NAMED = 5;

const notUtf8 = (bytes: Uint8Array, decodeAs: DecodeAs): string => {
  const bad = badLines(bytes, decodeAs);
  const named = bad
    .slice(0, MOST_NAMED)
    .map(({ line, byte }) => `${line} (byte 0x${byte.toString(16).toUpperCase().padStart(2, "0")})`);
  const more = bad.length - named.length;
  const lines = `${named.join(", ")}${more > 0 ? ` and ${counted(more)} more` : ""}`;
  return ` is UTF-8, but not in line ${lines}. Save it as UTF-8, or name its encoding, such as --encoding windows-1252.`;
};

/** @returns the text of a file that names no encoding. */
const guessed = (bytes: Uint8Array, decodeAs: DecodeAs, isUtf8: boolean): FileText => {
  const utf8 = decodeAs(bytes, "utf-8", true);
  if (utf8 !== undefined) return { text: utf8 };
  // What is UTF-8 but for some bytes has more of it than of them.
  const characters = (decodeAs(bytes, "utf-8", false) ?? "").match(/[^\0-\x7f]/gu) ?? [];
  const bad = characters.filter((one) => one === REPLACED).length;
  if (isUtf8 || bad <= characters.length - bad) return { text: "", why: notUtf8(bytes, decodeAs) };
  return {
    text: windows1252(bytes, decodeAs),
    notice: "It is not UTF-8, and was read as Windows-1252. Check the names, or name its encoding with --encoding.",
  };
};

/** @param encoding such as `windows-1250`; a BOM goes first. Absent: UTF-8, else Windows-1252. */
export const textOfFile = (bytes: Uint8Array, decodeAs: DecodeAs, encoding?: string): FileText => {
  const bom = BOMS.find(([marks]) => marks.every((byte, i) => bytes[i] === byte));
  const content = bytes.subarray(bom?.[0].length ?? 0);
  const named = bom?.[1] ?? (encoding === undefined ? undefined : encodingOf(encoding));
  if (named === undefined || named === "utf-8") return guessed(content, decodeAs, named !== undefined);
  if (named === "windows-1252") return { text: windows1252(content, decodeAs) };
  const text = decodeAs(content, named, bom === undefined);
  return text === undefined ? { text: "", why: ` is not ${named}.` } : { text };
};
