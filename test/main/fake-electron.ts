/** A file that contains only the fuses of Electron's binary. */

/** The mark before the fuses, as in Electron's build. */
const SENTINEL = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";
/** The defaults of Electron 45: one character per fuse. */
export const FUSES = "101100011";

/** @param fuses one character each. @returns a binary with these fuses. */
export const fakeBinary = (fuses = FUSES): Buffer => {
  const padding = Buffer.alloc(4096, 0xcc);
  return Buffer.concat([padding, Buffer.from(SENTINEL), Buffer.from([1, fuses.length]), Buffer.from(fuses), padding]);
};

/** @returns the fuses of a binary, one character each. */
export const fuseWire = (binary: Buffer): string => {
  const at = binary.indexOf(SENTINEL) + SENTINEL.length;
  return binary.subarray(at + 2, at + 2 + (binary[at + 1] ?? 0)).toString();
};
