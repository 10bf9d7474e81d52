/** Where a body is not UTF-8, and what it may be instead. */

/** @param offset in UTF-16 units. @returns line and column from 1; columns count UTF-16 units, as editors do. */
export const placeOf = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  let line = 1;
  let from = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1))
    [line, from] = [line + 1, at + 1];
  return { line, column: offset - from + 1 };
};

const UTF16 = /^(?:\xff\xfe|\xfe\xff|[\x20-\x7e]\0|\0[\x20-\x7e])/;

/** @param bytes that are no UTF-8. @returns where, and what they may be, in a sentence. */
export const encodingSentence = (bytes: Buffer): string => {
  if (UTF16.test(bytes.toString("latin1", 0, 2))) return "The body is UTF-16, not UTF-8. Send it as UTF-8.";
  const text = bytes.toString("utf8");
  // The first character that decodes to the replacement without being sent as one.
  let offset = text.indexOf("\ufffd");
  for (; offset >= 0; offset = text.indexOf("\ufffd", offset + 1)) {
    const at = Buffer.byteLength(text.slice(0, offset));
    if (bytes.toString("latin1", at, at + 3) !== "\xef\xbf\xbd") {
      const { line, column } = placeOf(text, offset);
      const byte = (bytes[at] ?? 0).toString(16).padStart(2, "0");
      return `The body is not valid UTF-8: line ${line}, column ${column}: the byte 0x${byte}, as in Latin-1 or Windows-1252. Send it as UTF-8.`;
    }
  }
  return "The body is not valid UTF-8. Send it as UTF-8.";
};
