import "reflect-metadata/lite";
import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as x509 from "@peculiar/x509";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Authority, createAuthority, issueLeaf } from "#certificates/authority.ts";
import { isCovered } from "#certificates/ranges.ts";

const NOW = Date.now();
const run = promisify(execFile);
let dir = "";
let authority: Authority;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-certificates-"));
  authority = await createAuthority("test machine", NOW);
  await writeFile(join(dir, "root.pem"), authority.root);
  await writeFile(join(dir, "intermediate.pem"), authority.intermediate);
});
afterAll(() => rm(dir, { recursive: true }));

/** Signs for a name as a thief of the intermediate would. @returns whether OpenSSL accepts it. */
const isAccepted = async (name: string): Promise<boolean> => {
  const { cert } = await issueLeaf(authority, [name], NOW);
  await writeFile(join(dir, "leaf.pem"), cert);
  const args = ["verify", "-CAfile", join(dir, "root.pem"), "-untrusted", join(dir, "intermediate.pem")];
  return await run("openssl", [...args, join(dir, "leaf.pem")]).then(
    () => true,
    () => false,
  );
};

const hasOpenssl = await run("openssl", ["version"]).then(
  () => true,
  () => false,
);

const INSIDE = [
  "localhost",
  "mac.local",
  "host.docker.internal",
  "127.0.0.1",
  "10.0.2.2",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.20",
  "169.254.7.7",
  "100.64.0.1",
  "::1",
  "fd00::2",
  "fe80::1",
];
const OUTSIDE = [
  "example.com",
  "local.example.com",
  "evillocal",
  "8.8.8.8",
  "172.32.0.1",
  "192.169.0.1",
  "100.128.0.1",
  "2001:db8::1",
  "::2",
];

test.each(INSIDE)("the name constraints cover %s", (name) => expect(isCovered(name)).toBe(true));
test.each(OUTSIDE)("the name constraints exclude %s", (name) => expect(isCovered(name)).toBe(false));

describe("a stolen intermediate", () => {
  beforeEach(({ skip }) => skip(!hasOpenssl, "OpenSSL is not installed"));
  test.each(INSIDE)("is accepted for %s", async (name) => expect(await isAccepted(name)).toBe(true));
  test.each(OUTSIDE)("is rejected for %s", async (name) => expect(await isAccepted(name)).toBe(false));
});

test("the root signs only the intermediate, and its key is stored nowhere", () => {
  const [root, intermediate] = [new X509Certificate(authority.root), new X509Certificate(authority.intermediate)];
  expect(root.checkIssued(root) && intermediate.checkIssued(root) && intermediate.ca).toBe(true);
  expect(authority.key.match(/PRIVATE KEY-----\n/g)).toHaveLength(2);
  expect(root.publicKey.equals(intermediate.publicKey)).toBe(false);
});

test("a leaf is valid for 90 days, from yesterday on", async () => {
  const leaf = await issueLeaf(authority, ["localhost"], NOW);
  const { validFrom, validTo, ca } = new X509Certificate(leaf.cert);
  expect(Math.round((Date.parse(validTo) - NOW) / 86_400_000)).toBe(90);
  expect(Date.parse(validFrom)).toBeLessThan(NOW);
  expect(ca).toBe(false);
});

// Java holds the common name of a leaf against the constraints where its SAN has no DNS name: `CN=thief` is refused.
test("the common name of a leaf is within the constraints, also for an address alone", async () => {
  const { cert } = await issueLeaf(authority, ["192.168.1.20"], NOW);
  const [name = "none", ...others] = new x509.X509Certificate(cert).subjectName.getField("CN");
  expect([isCovered(name), others]).toEqual([true, []]);
});

test("a leaf never outlives the authority that signed it", async () => {
  const { notAfter } = new x509.X509Certificate(authority.intermediate);
  const leaf = await issueLeaf(authority, ["localhost"], notAfter.getTime() - 86_400_000);
  expect(new x509.X509Certificate(leaf.cert).notAfter).toEqual(notAfter);
  expect(leaf.notAfter).toBe(notAfter.getTime());
});

test("a device must enforce the name constraints, and a thief cannot sign another authority", () => {
  const intermediate = new x509.X509Certificate(authority.intermediate);
  expect(intermediate.getExtension("2.5.29.30")?.critical).toBe(true);
  const basic = (pem: string) => new x509.X509Certificate(pem).getExtension(x509.BasicConstraintsExtension);
  expect(basic(authority.intermediate)).toMatchObject({ ca: true, pathLength: 0, critical: true });
  expect(basic(authority.root)).toMatchObject({ ca: true, pathLength: 1, critical: true });
});
