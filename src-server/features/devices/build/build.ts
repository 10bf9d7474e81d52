/** What autofill needs to know of a build of an Android app, in Node and in a browser. */

import { packageIn } from "./android-manifest.ts";
import { BuildFlaw, type Source } from "./fields.ts";
import { blockSigners, jarSigner, type Signers } from "./signers.ts";
import { contentOf, directoryOf, type Entry, unzipped, zipEntries } from "./zip.ts";

/** A certificate, and the hash by which SMS Retriever finds a build that is signed with it. */
interface Signer {
  /** SHA-256 of the certificate, as keytool prints it. */
  readonly sha256: string;
  /** 11 characters of base64. */
  readonly hash: string;
}

/** A build of an Android app. */
export interface Build extends Signer {
  readonly package: string;
  readonly kind: "apk" | "aab";
  readonly scheme: Signers["scheme"];
  /** Further signers, if there are several. */
  readonly others: readonly Signer[];
  /** Certificates before a rotation, newest first. */
  readonly older: readonly Signer[];
}

const MANIFESTS = { apk: "AndroidManifest.xml", aab: "base/manifest/AndroidManifest.xml" } as const;
/** The signature files of a JAR: `X.SF` is signed by `X.RSA`. */
const JAR = /^META-INF\/([^/]+)\.(RSA|DSA|EC|SF)$/i;
const MOST_JAR_FILES = 100;
const APK = /\.apk$/i;
const BASE_APK = /(^|\/)(base|base-master|universal)\.apk$/i;

const hexOf = (bytes: Uint8Array): string[] => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** Google's formula (developers.google.com/identity/sms-retriever/verify). */
const signerOf = async (name: string, certificate: Uint8Array<ArrayBuffer>): Promise<Signer> => {
  const digest = await sha256(new TextEncoder().encode(`${name} ${hexOf(certificate).join("")}`));
  const hash = btoa(String.fromCharCode(...digest.subarray(0, 9))).slice(0, 11);
  const printed = hexOf(await sha256(certificate)).join(":");
  return { sha256: printed.toUpperCase(), hash };
};

const distinct = (all: readonly Signer[]): Signer[] => [...new Map(all.map((one) => [one.sha256, one])).values()];

const jarSigners = async (source: Source, entries: readonly Entry[]): Promise<Signers> => {
  const files = entries.flatMap((entry) => {
    const [, name = "", kind] = JAR.exec(entry.name.toUpperCase()) ?? [];
    return kind === undefined ? [] : [{ entry, name, isList: kind === "SF" }];
  });
  const lists = new Set(files.flatMap(({ name, isList }) => (isList ? name : [])));
  const now: Uint8Array<ArrayBuffer>[] = [];
  for (const { entry, name, isList } of files.slice(0, MOST_JAR_FILES))
    if (!isList && lists.has(name)) now.push(jarSigner(await unzipped(source, entry, "signature")));
  return { scheme: "v1", now, before: [] };
};

const read = async (source: Source, isInner = false): Promise<Build> => {
  const list = await directoryOf(source);
  const entries = await zipEntries(source, list);
  const named = (name: string): Entry | undefined => entries.find((entry) => entry.name === name);
  const kind = named(MANIFESTS.apk) === undefined ? "aab" : "apk";
  const manifest = named(MANIFESTS[kind]);
  if (manifest === undefined) {
    // A set of split APKs, which are not packed once more.
    const apks = entries.filter(({ name, isStored }) => isStored && APK.test(name));
    const base = apks.find(({ name }) => BASE_APK.test(name)) ?? apks[0];
    if (base === undefined || isInner) throw new BuildFlaw("is not an APK or AAB: it has no AndroidManifest.xml");
    const { offset, size } = await contentOf(source, base);
    return await read({ size, read: (at, length) => source.read(offset + at, length) }, true);
  }
  const name = packageIn(await unzipped(source, manifest, "manifest"), kind);
  const signers = (await blockSigners(source, list)) ?? (await jarSigners(source, entries));
  const [now, before] = await Promise.all(
    [signers.now, signers.before].map((all) => Promise.all(all.map((one) => signerOf(name, one)))),
  );
  const [first, ...others] = distinct(now ?? []);
  if (first === undefined) throw new BuildFlaw("is not signed");
  const older = distinct(before ?? []).filter(({ hash }) => hash !== first.hash);
  return { package: name, ...first, kind, scheme: signers.scheme, others, older };
};

/**
 * @param source an APK, an AAB, or a ZIP file of split APKs.
 * @returns its package, who signed it, and its hash; or what is wrong with it, in words that follow its name.
 */
export const readBuild = async (source: Source): Promise<Build | { readonly error: string }> => {
  try {
    return await read(source);
  } catch (error) {
    if (error instanceof BuildFlaw) return { error: error.message };
    throw error;
  }
};
