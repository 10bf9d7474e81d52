/** A file with the fuses of Electron's binary, and nothing else of it. */

/** Where the fuses begin, as Electron's build marks it. */
const SENTINEL = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";
/** As Electron 45 is delivered: one character a fuse. */
export const FUSES = "101100011";

/** @param fuses one character each. @returns the bytes of a binary with these fuses. */
export const fakeBinary = (fuses = FUSES): Buffer => {
  const padding = Buffer.alloc(4096, 0xcc);
  return Buffer.concat([padding, Buffer.from(SENTINEL), Buffer.from([1, fuses.length]), Buffer.from(fuses), padding]);
};

/** @returns the fuses of a binary, one character each. */
export const fuseWire = (binary: Buffer): string => {
  const at = binary.indexOf(SENTINEL) + SENTINEL.length;
  return binary.subarray(at + 2, at + 2 + (binary[at + 1] ?? 0)).toString();
};
