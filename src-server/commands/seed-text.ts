/** A world that is imported as it is written, without parsing it: the server parses and checks it, so it is parsed once. */

const [QUOTE, BACKSLASH, NEWLINE] = [0x22, 0x5c, 0x0a] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const isBlank = (byte: number): boolean => byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;

/**
 * Skips an object. @param at of its brace.
 * @returns the place after it; -1 if it does not end.
 */
const afterObject = (bytes: Uint8Array, at: number): number => {
  let depth = 0;
  for (let i = at; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      for (i += 1; i < bytes.length && bytes[i] !== QUOTE; i += 1) if (bytes[i] === BACKSLASH) i += 1;
    } else if (byte === OPEN || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
};

/** @returns the text of a file with a world; undefined if it is not one JSON object, without a BOM. */
export const worldText = (bytes: Uint8Array): Uint8Array | undefined => {
  const start = bytes.findIndex((byte) => !isBlank(byte));
  if (bytes[start] !== OPEN) return undefined;
  const end = afterObject(bytes, start);
  return end !== -1 && bytes.subarray(end).every(isBlank) ? bytes : undefined;
};
