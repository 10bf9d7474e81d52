/**
 * Who signed an app: the APK signing block (source.android.com/docs/security/features/apksigning/v2 and v3), or the
 * signature files of a JAR (v1). Certificates are read; whether the signatures hold, Android checks.
 */
import { Fields, Flaw, readAt, type Source } from "./fields.ts";
import type { Part } from "./zip.ts";

/** A certificate in DER. */
type Certificate = Uint8Array<ArrayBuffer>;

/** Who signed an app. */
export interface Signers {
  readonly scheme: "v1" | "v2" | "v3" | "v3.1";
  /** All whose signature is in force. */
  readonly now: readonly Certificate[];
  /** Those that were rotated, newest first. */
  readonly before: readonly Certificate[];
}

const MAGIC = "APK Sig Block 42";
const FOOTER = 24;
const V2 = 0x7109871a;
const V3 = 0xf05368c0;
const V31 = 0x1b93ad61;
const LINEAGE = 0x3ba06f8c;
/** Of one value of the block in bytes; signatures have some thousand. */
const MOST_VALUE = 4_194_304;
/** Apps have up to ten values. */
const MOST_VALUES = 1_000;
const DAMAGED = "has a damaged signing block";

/** @returns the values of the signing block in front of the list of entries, by their ids; empty without one. */
const signingBlock = async (source: Source, { offset }: Part): Promise<ReadonlyMap<number, Fields>> => {
  const values = new Map<number, Fields>();
  const end = offset - FOOTER;
  const footer = end < 8 ? undefined : await readAt(source, end, FOOTER);
  const size = footer?.u64() ?? 0;
  if (footer?.text(MAGIC.length) !== MAGIC) return values;
  let at = offset - size;
  if (at > end || (await readAt(source, at - 8, 8)).u64() !== size) throw new Flaw(DAMAGED);
  for (let count = 0; at < end; count++) {
    const pair = await readAt(source, at, 12);
    const [length, id] = [pair.u64(), pair.u32()];
    if (length < 4 || at + 8 + length > end || count > MOST_VALUES) throw new Flaw(DAMAGED);
    const isSignature = id === V2 || id === V3 || id === V31;
    if (isSignature && length > MOST_VALUE) throw new Flaw(DAMAGED);
    if (isSignature) values.set(id, await readAt(source, at + 12, length - 4));
    at += 8 + length;
  }
  return values;
};

/** @param attributes of a signer. @returns the certificates, each of which signed the next, oldest first. */
const lineageIn = (attributes: Fields): Certificate[] =>
  attributes
    .all((each) => each.block())
    .filter((one) => one.u32() === LINEAGE)
    .flatMap((lineage) => lineage.seek(8).all((level) => level.block().block().block().bytes));

/** @returns the certificate of each signer; in v3 also those before it, and the version of Android from which it holds. */
const signersIn = (value: Fields | undefined, isV3: boolean) =>
  (value?.block().all((each) => each.block()) ?? []).map((signer) => {
    const signed = signer.block();
    signed.block();
    const certificate = signed.block().block().bytes;
    const from = isV3 ? signed.u32() : 0;
    return { certificate, from, lineage: isV3 ? lineageIn(signed.seek(signed.at + 4).block()) : [] };
  });

const isSame = (a: Certificate, b: Certificate): boolean =>
  a.length === b.length && a.every((byte, place) => byte === b[place]);

/** @returns who signed it by its signing block; undefined if it has none. */
export const blockSigners = async (source: Source, list: Part): Promise<Signers | undefined> => {
  const block = await signingBlock(source, list);
  const newest = (id: number) => signersIn(block.get(id), true).toSorted((a, b) => b.from - a.from);
  const v3 = [...newest(V31), ...newest(V3)];
  const v2 = signersIn(block.get(V2), false).map(({ certificate }) => certificate);
  const now = v3.length > 0 ? v3.slice(0, 1).map(({ certificate }) => certificate) : v2;
  if (now.length === 0) return undefined;
  const others = v3.flatMap(({ certificate, lineage }) => [certificate, ...lineage.toReversed()]);
  const before = [...others, ...v2].filter(
    (one, place, all) => ![...now, ...all.slice(0, place)].some((other) => isSame(one, other)),
  );
  return { scheme: v3.length === 0 ? "v2" : block.has(V31) ? "v3.1" : "v3", now, before };
};

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const OID = 0x06;
const CONTEXT_0 = 0xa0;
const CONTEXT_1 = 0xa1;

/** @returns whether a certificate has this issuer and serial number. */
const isOf = (certificate: Certificate, issuer: Certificate, serial: Certificate): boolean => {
  const signed = new Fields(certificate).tagged(SEQUENCE).tagged(SEQUENCE);
  const first = signed.der();
  const { whole } = first.tag === CONTEXT_0 ? signed.der() : first;
  signed.tagged(SEQUENCE);
  return isSame(whole, serial) && isSame(signed.der().whole, issuer);
};

/** @param file a PKCS #7 signature, `META-INF/*.RSA`. @returns the certificate of its first signer. */
export const jarSigner = (file: Fields): Certificate => {
  const content = file.tagged(SEQUENCE);
  content.tagged(OID);
  const signed = content.tagged(CONTEXT_0).tagged(SEQUENCE);
  for (const tag of [INTEGER, SET, SEQUENCE]) signed.tagged(tag);
  const certificates = signed.tagged(CONTEXT_0).all((each) => each.der().whole);
  const next = signed.der();
  const signer = (next.tag === CONTEXT_1 ? signed.tagged(SET) : next.body).tagged(SEQUENCE);
  signer.tagged(INTEGER);
  const id = signer.tagged(SEQUENCE);
  const [issuer, serial] = [id.der().whole, id.der().whole];
  const found = certificates.find((one) => isOf(one, issuer, serial));
  if (found === undefined) throw new Flaw("has a signature without its certificate");
  return found;
};
