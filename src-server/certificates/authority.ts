/**
 * A local certificate authority: a root that devices trust, whose key is discarded after it has signed one
 * intermediate, which can only sign for local names and addresses. A stolen authority is therefore useless on the
 * internet. The constraints are in the intermediate, because Java ignores those in a root.
 */
import { createPrivateKey, KeyObject, webcrypto } from "node:crypto";
import { isIP } from "node:net";
import { nameConstraints } from "./ranges.ts";

/** The stored authority: certificates and the key of the intermediate, as PEM. */
export interface Authority {
  readonly root: string;
  readonly intermediate: string;
  readonly key: string;
}

/** What a TLS listener uses: the chain without its root, and the key of the leaf, as PEM. */
export interface Leaf {
  readonly cert: string;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
}

const DAY_MS = 86_400_000;
/** Validity in days. Apple rejects leaves that are valid for more than 825 days. */
const LIFE = { authority: 1_825, leaf: 90 } as const;
/** A leaf is renewed with this much validity left; an authority, when its leaves would get less than they should. */
export const RENEW_MS = 30 * DAY_MS;

const KEY = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNING = { name: "ECDSA", hash: "SHA-256" } as const;
const NAME_CONSTRAINTS = "2.5.29.30";

/** The library needs a `Reflect` polyfill first; both are loaded only when there is something to sign. */
const load = async () => {
  await import("reflect-metadata/lite");
  return await import("@peculiar/x509");
};

const { subtle } = webcrypto;
const newKeys = (extractable: boolean) => subtle.generateKey(KEY, extractable, ["sign", "verify"]);

const keyPem = (key: webcrypto.CryptoKey): string =>
  String(KeyObject.from(key).export({ type: "pkcs8", format: "pem" }));

/** Certificates are valid from one day ago, because device clocks differ. */
const dates = (now: number, days: number, most = Number.POSITIVE_INFINITY) => ({
  notBefore: new Date(now - DAY_MS),
  notAfter: new Date(Math.min(now + days * DAY_MS, most)),
});

/** @param machine the display name of this machine. @param now milliseconds since 1970. */
export const createAuthority = async (machine: string, now: number): Promise<Authority> => {
  const x509 = await load();
  const generator = x509.X509CertificateGenerator;
  const signs = new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true);
  const rootKeys = await newKeys(false);
  const keys = await newKeys(true);
  const life = dates(now, LIFE.authority);
  const root = await generator.createSelfSigned({
    ...life,
    name: [{ CN: [`Stagedoor CA ${machine}`.slice(0, 64)] }, { O: ["Stagedoor (local development)"] }],
    keys: rootKeys,
    signingAlgorithm: SIGNING,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      signs,
      await x509.SubjectKeyIdentifierExtension.create(rootKeys.publicKey),
    ],
  });
  const intermediate = await generator.create({
    ...life,
    subject: [{ CN: [`Stagedoor local names ${machine}`.slice(0, 64)] }, { O: ["Stagedoor (local development)"] }],
    issuer: root.subjectName,
    publicKey: keys.publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: SIGNING,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      signs,
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.Extension(NAME_CONSTRAINTS, true, nameConstraints()),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(rootKeys.publicKey),
    ],
  });
  return {
    root: `${root.toString("pem")}\n`,
    intermediate: `${intermediate.toString("pem")}\n`,
    key: keyPem(keys.privateKey),
  };
};

/**
 * @param names host names and IP addresses that the authority may sign for. @param now milliseconds since 1970.
 * @returns a certificate for them, valid for 90 days.
 */
export const issueLeaf = async (authority: Authority, names: readonly string[], now: number): Promise<Leaf> => {
  const x509 = await load();
  const issuer = new x509.X509Certificate(authority.intermediate);
  const pkcs8 = createPrivateKey(authority.key).export({ type: "pkcs8", format: "der" });
  const signingKey = await subtle.importKey("pkcs8", pkcs8, KEY, false, ["sign"]);
  const keys = await newKeys(true);
  const life = dates(now, LIFE.leaf, issuer.notAfter.getTime());
  const leaf = await x509.X509CertificateGenerator.create({
    ...life,
    subject: [{ CN: ["localhost"] }],
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: SIGNING,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((name) => ({ type: isIP(name) === 0 ? ("dns" as const) : ("ip" as const), value: name })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  const cert = `${leaf.toString("pem")}\n${authority.intermediate}`;
  return { cert, key: keyPem(keys.privateKey), notAfter: leaf.notAfter.getTime() };
};
