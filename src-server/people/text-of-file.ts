/** The text of a file of users, whatever it is encoded in. */

/** Decodes bytes. @returns undefined if `isStrict` and they are not of this encoding. */
export type DecodeAs = (
  bytes: Uint8Array,
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252",
  isStrict: boolean,
) => string | undefined;

/** @returns the text without BOM; `notice`: a sentence about an encoding that was guessed. */
export const textOfFile = (
  bytes: Uint8Array,
  decodeAs: DecodeAs,
): { readonly text: string; readonly notice?: string } => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: decodeAs(bytes.subarray(2), "utf-16le", false) ?? "" };
  if (first === 0xfe && second === 0xff) return { text: decodeAs(bytes.subarray(2), "utf-16be", false) ?? "" };
  const utf8 = decodeAs(bytes, "utf-8", true);
  if (utf8 !== undefined) return { text: utf8.replace(/^\ufeff/, "") };
  return {
    text: decodeAs(bytes, "windows-1252", false) ?? "",
    notice: "It is not UTF-8, and was read as Windows-1252. Check the names.",
  };
};
