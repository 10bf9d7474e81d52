/** Stores the user's authority: one file that only the user can read, shared by all the user's servers. */
import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Authority } from "./authority.ts";

const FILE = "authority.pem";
const BLOCK = /-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----\n/g;

const authorityIn = (text: string): Authority | undefined => {
  const [root, intermediate, key] = text.match(BLOCK) ?? [];
  if (root === undefined || intermediate === undefined || key === undefined) return undefined;
  try {
    const signed = new X509Certificate(intermediate);
    const whole = signed.verify(new X509Certificate(root).publicKey) && signed.checkPrivateKey(createPrivateKey(key));
    return whole ? { root, intermediate, key } : undefined;
  } catch {
    return undefined;
  }
};

/** Unlike a rename, a link fails if the file exists. Some file systems have no links. */
const addFile = async (draft: string, file: string): Promise<void> => {
  const failed = await link(draft, file).then(
    () => "",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown"),
  );
  if (failed !== "" && failed !== "EEXIST") await rename(draft, file);
};

/** @returns the authority; `"none"` if there is none yet, `"damaged"` if its file is invalid. */
export const readAuthority = async (dir: string): Promise<Authority | "none" | "damaged"> => {
  try {
    return authorityIn(await readFile(join(dir, FILE), "utf8")) ?? "damaged";
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "none";
    throw error;
  }
};

/**
 * Stores an authority. @param replace overwrite an existing one; otherwise that wins: another server created it.
 * @returns the stored authority.
 */
export const keepAuthority = async (dir: string, authority: Authority, replace: boolean): Promise<Authority> => {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, FILE);
  const draft = join(dir, `${FILE}.${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(draft, `${authority.root}${authority.intermediate}${authority.key}`, { mode: 0o600, flag: "wx" });
    if (replace) await rename(draft, file);
    else await addFile(draft, file);
    const kept = await readAuthority(dir);
    return typeof kept === "string" ? authority : kept;
  } finally {
    await rm(draft, { force: true });
  }
};
