/**
 * Who signed an app: the APK signing block (source.android.com/docs/security/features/apksigning/v2 and v3), or the
 * signature files of a JAR (v1). Certificates are read; whether the signatures hold, Android checks.
 */
import { BuildFlaw, type Der, Fields, readAt, type Source } from "./fields.ts";
import type { ZipPart } from "./zip.ts";

/** A certificate in DER. */
type Certificate = Uint8Array<ArrayBuffer>;

/** Who signed an app: all whose signature is in force, and those that were rotated, newest first, maybe repeated. */
export interface Signers {
  readonly scheme: "v1" | "v2" | "v3" | "v3.1";
  readonly now: readonly Certificate[];
  readonly before: readonly Certificate[];
}

const MAGIC = "APK Sig Block 42";
const FOOTER = 24;
const [V2, V3, V31] = [0x7109871a, 0xf05368c0, 0x1b93ad61];
const LINEAGE = 0x3ba06f8c;
/** Of one value of the block, in bytes, and of their number: signatures have some thousand, apps up to ten values. */
const MOST = { value: 262_144, values: 1_000 } as const;

/** @returns the values of the signing block in front of the list of entries, by their ids; empty without one. */
const signingBlock = async (source: Source, { offset }: ZipPart): Promise<ReadonlyMap<number, Fields>> => {
  const values = new Map<number, Fields>();
  const end = offset - FOOTER;
  const footer = end < 8 ? undefined : await readAt(source, end, FOOTER);
  const size = footer?.uint(8) ?? 0;
  if (footer?.text(MAGIC.length) !== MAGIC) return values;
  let isWhole = size >= FOOTER && (await readAt(source, offset - size - 8, 8)).uint(8) === size;
  for (let at = offset - size, count = 0; isWhole && at < end; count++) {
    const pair = await readAt(source, at, 12);
    const [length, id] = [pair.uint(8), pair.uint(4)];
    const isSignature = id === V2 || id === V3 || id === V31;
    isWhole = length >= 4 && at + 8 + length <= end && count < MOST.values && !(isSignature && length > MOST.value);
    if (isSignature && isWhole) values.set(id, await readAt(source, at + 12, length - 4));
    at += 8 + length;
  }
  if (!isWhole) throw new BuildFlaw("has a damaged signing block");
  return values;
};

/** @param attributes of a signer. @returns the certificates, each of which signed the next, oldest first. */
const lineageIn = (attributes: Fields): Certificate[] =>
  attributes
    .all((each) => each.block())
    .filter((one) => one.uint(4) === LINEAGE)
    .flatMap((lineage) => lineage.seek(8).all((level) => level.block().block().block().bytes));

/** @returns the certificate of each signer; in v3 also those before it, and the version of Android from which it holds. */
const signersIn = (value: Fields | undefined, isV3: boolean) =>
  (value?.block().all((each) => each.block()) ?? []).map((signer) => {
    const signed = signer.block();
    signed.block();
    const certificate = signed.block().block().bytes;
    const from = isV3 ? signed.uint(4) : 0;
    return { certificate, from, lineage: isV3 ? lineageIn(signed.seek(signed.at + 4).block()) : [] };
  });

/** @returns who signed it by its signing block; undefined if it has none. */
export const blockSigners = async (source: Source, list: ZipPart): Promise<Signers | undefined> => {
  const block = await signingBlock(source, list);
  const newest = (id: number) => signersIn(block.get(id), true).toSorted((a, b) => b.from - a.from);
  const [first, ...others] = [...newest(V31), ...newest(V3)];
  const v2 = signersIn(block.get(V2), false).map(({ certificate }) => certificate);
  if (first === undefined) return v2.length === 0 ? undefined : { scheme: "v2", now: v2, before: [] };
  const older = [first, ...others].flatMap(({ certificate, lineage }) => [certificate, ...lineage.toReversed()]);
  return { scheme: block.has(V31) ? "v3.1" : "v3", now: [first.certificate], before: [...older, ...v2] };
};

const CONTEXT_0 = 0xa0;
const valuesIn = ({ body }: Der): Der[] => body.seek(0).all((each) => each.der());

/** @param places of a value in the one around it, from the outside; negative: from the end. */
const inside = (outer: Fields, ...places: readonly number[]): Der =>
  places.reduce((value, place) => {
    const found = valuesIn(value).at(place);
    if (found === undefined) throw new BuildFlaw("has a signature of an unknown form");
    return found;
  }, outer.seek(0).der());

/** @param file a PKCS #7 signature, `META-INF/*.RSA`. @returns the certificate of its first signer. */
export const jarSigner = (file: Fields): Certificate => {
  // ContentInfo { type, [0] { SignedData { version, digests, content, [0] certificates, …, signers } } }
  const certificates = valuesIn(inside(file, 1, 0)).filter(({ tag }) => tag === CONTEXT_0);
  // A signer is { version, { issuer, serial }, … }; a certificate { { [0] version, serial, algorithm, issuer, … }, … }.
  const signer = String(inside(file, 1, 0, -1, 0, 1).body.bytes);
  const found = certificates.flatMap(valuesIn).find(({ whole }) => {
    const at = inside(new Fields(whole), 0, 0).tag === CONTEXT_0 ? 1 : 0;
    const [serial, issuer] = [at, at + 2].map((place) => inside(new Fields(whole), 0, place).whole);
    return signer === `${issuer},${serial}`;
  });
  if (found === undefined) throw new BuildFlaw("has a signature without its certificate");
  return found.whole;
};
