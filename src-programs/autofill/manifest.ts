/** The package in a manifest: in an APK binary XML (Android's ResourceTypes.h), in an AAB a protobuf (aapt2's Resources.proto). */
import { type Fields, Flaw } from "./fields.ts";

const STRINGS = 0x0001;
const XML = 0x0003;
const ELEMENT = 0x0102;
const IS_UTF8 = 0x100;
const DAMAGED = "has a damaged manifest";
/** The name of a package. */
export const PACKAGE_NAME = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*$/;

/** @returns the text with this number in a pool of texts. */
const textIn = (pool: Fields, index: number): string => {
  const isUtf8 = (pool.seek(16).u32() & IS_UTF8) !== 0;
  const start = pool.u32();
  pool.seek(start + pool.seek(28 + 4 * index).u32());
  const length = (next: () => number, more: number): number => {
    const first = next();
    return first < more ? first : (first - more) * 2 * more + next();
  };
  if (!isUtf8) return pool.text(2 * length(pool.u16, 0x8000), "utf-16le");
  length(pool.u8, 0x80);
  return pool.text(length(pool.u8, 0x80));
};

/** @returns the attribute `package` of the first element; undefined if there is none. */
const inXml = (manifest: Fields): string | undefined => {
  if (manifest.u16() !== XML) throw new Flaw(DAMAGED);
  let pool: Fields | undefined;
  manifest.seek(manifest.u16());
  while (manifest.left > 0) {
    const start = manifest.at;
    const type = manifest.u16();
    const size = manifest.seek(start + 4).u32();
    if (size < 8) throw new Flaw(DAMAGED);
    const chunk = manifest.seek(start).take(size);
    if (type === STRINGS) pool = chunk;
    if (type !== ELEMENT || pool === undefined) continue;
    const first = 16 + chunk.seek(24).u16();
    const [each, count] = [chunk.u16(), chunk.u16()];
    for (let at = first; at < first + each * count; at += each)
      if (textIn(pool, chunk.seek(at + 4).u32()) === "package") return textIn(pool, chunk.u32());
    return undefined;
  }
  return undefined;
};

const varint = (from: Fields): number => {
  let value = 0;
  for (let scale = 1; scale < 2 ** 42; scale *= 128) {
    const byte = from.u8();
    value += (byte % 128) * scale;
    if (byte < 128) return value;
  }
  throw new Flaw(DAMAGED);
};

/** @returns the fields of a protobuf message that have this number and hold bytes. */
const fieldsIn = (message: Fields, number: number): Fields[] =>
  message
    .seek(0)
    .all((from) => {
      const key = varint(from);
      const kind = key % 8;
      if (kind === 0) varint(from);
      else if (kind === 2) {
        const value = from.take(varint(from));
        return key === number * 8 + 2 ? [value] : [];
      } else if (kind === 1 || kind === 5) from.take(kind === 1 ? 8 : 4);
      else throw new Flaw(DAMAGED);
      return [];
    })
    .flat();

/** @param node an XmlNode: an element (1) with attributes (4), which have a name (2) and a value (3). */
const inProto = (node: Fields): string | undefined => {
  const attributes = fieldsIn(node, 1).flatMap((element) => fieldsIn(element, 4));
  const text = (attribute: Fields, number: number) => fieldsIn(attribute, number).map((one) => one.text(one.left))[0];
  const found = attributes.find((attribute) => text(attribute, 2) === "package");
  return found && text(found, 3);
};

/** @returns the package that a manifest names. @throws Flaw */
export const packageIn = (manifest: Fields, kind: "apk" | "aab"): string => {
  const name = kind === "apk" ? inXml(manifest) : inProto(manifest);
  if (name === undefined || !PACKAGE_NAME.test(name)) throw new Flaw("has a manifest that names no package");
  return name;
};
