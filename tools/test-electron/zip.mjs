/** Reads a zip file: as much as the package of the test runtime needs (no encryption, no zip64, below 2 GB). */
import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/**
 * @param {Buffer} zip
 * @returns {Generator<{ name: string, mode: number, read: () => Buffer }>} its entries, in the order of the directory;
 * mode is 0 where the zip has none
 * @throws {Error} if it is no zip file
 */
export function* entriesOf(zip) {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END) end--;
  if (end < 0) throw new Error("not a zip file");
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error("the directory of the zip file is damaged");
    const start = at + 46;
    const name = zip.toString("utf8", start, start + zip.readUInt16LE(at + 28));
    const [method, size, local] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    const read = () => {
      const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const bytes = zip.subarray(data, data + size);
      return method === 0 ? bytes : inflateRawSync(bytes);
    };
    yield { name, mode: (zip.readUInt32LE(at + 38) >>> 16) & 0o777, read };
    at = start + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}
