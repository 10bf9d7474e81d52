/** The package in a manifest: in an APK binary XML (Android's ResourceTypes.h), in an AAB a protobuf (aapt2's Resources.proto). */
import { BuildFlaw, type Fields } from "./fields.ts";

const STRINGS = 0x0001;
const ELEMENT = 0x0102;
const IS_UTF8 = 0x100;
/** The name of a package. */
export const PACKAGE_NAME = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*$/;

/** @returns the text with this number in a pool of texts. */
const textIn = (pool: Fields, index: number): string => {
  const isUtf8 = (pool.seek(16).uint(4) & IS_UTF8) !== 0;
  const start = pool.uint(4);
  pool.seek(start + pool.seek(28 + 4 * index).uint(4));
  const length = (next: () => number, more: number): number => {
    const first = next();
    return first < more ? first : (first - more) * 2 * more + next();
  };
  if (!isUtf8) return pool.text(2 * length(() => pool.uint(2), 0x8000), "utf-16le");
  length(() => pool.uint(1), 0x80);
  return pool.text(length(() => pool.uint(1), 0x80));
};

/** @returns the attribute `package` of the first element. */
const inXml = (manifest: Fields): string | undefined => {
  let pool: Fields | undefined;
  manifest.seek(2).seek(manifest.uint(2));
  while (manifest.left > 0) {
    const start = manifest.at;
    const type = manifest.uint(2);
    const size = manifest.seek(start + 4).uint(4);
    const chunk = manifest.seek(start).take(Math.max(8, size));
    if (type === STRINGS) pool = chunk;
    if (type !== ELEMENT || pool === undefined) continue;
    const first = 16 + chunk.seek(24).uint(2);
    const [each, count] = [chunk.uint(2), chunk.uint(2)];
    for (let i = 0; i < count; i++)
      if (textIn(pool, chunk.seek(first + each * i + 4).uint(4)) === "package") return textIn(pool, chunk.uint(4));
    return undefined;
  }
  return undefined;
};

/** An attribute is a name (2) and a value (3), and those of the first element come before all others. */
const inProto = (manifest: Fields): string | undefined => {
  const [, value] = manifest.text(manifest.left, "latin1").split("\x12\x07package\x1a");
  return value?.slice(1, 1 + value.charCodeAt(0));
};

/** @returns the package that a manifest names. @throws BuildFlaw */
export const packageIn = (manifest: Fields, kind: "apk" | "aab"): string => {
  const name = kind === "apk" ? inXml(manifest) : inProto(manifest);
  if (name === undefined || !PACKAGE_NAME.test(name)) throw new BuildFlaw("has a manifest that names no package");
  return name;
};
