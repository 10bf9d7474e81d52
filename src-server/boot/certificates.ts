/** The certificates of this server: the user's authority, and the leaf for the names of this machine. */
import { X509Certificate } from "node:crypto";
import { type Authority, createAuthority, issueLeaf, type Leaf, RENEW_MS } from "#certificates/authority.ts";
import { keepAuthority, readAuthority } from "#certificates/keep.ts";
import { isCovered } from "#certificates/ranges.ts";
import type { TlsItem } from "#contract/control/network.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import type { RootCertificate } from "#http/ports.ts";
import { errorText } from "#store/failure.ts";
import { StartError } from "./start-error.ts";

/** Names that every leaf includes. Android emulators reach their host at 10.0.2.2, Genymotion at 10.0.3.2. */
const OWN = ["127.0.0.1", "::1", "10.0.2.2", "10.0.3.2"] as const;

/** @param machine the host name. @returns the names of a leaf, without network addresses. */
const ownNames = (machine: string): string[] => {
  const name = machine.toLowerCase().replace(/\.local$/, "");
  const local = [name, name.replace(/\..*$/, "")].filter((label) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(label));
  return ["localhost", ...new Set(local.map((label) => `${label}.local`)), "host.docker.internal", ...OWN];
};

const rootOf = ({ root }: Authority): RootCertificate => {
  const { raw, fingerprint256, subject, validTo } = new X509Certificate(root);
  const notAfter = isoInstant(epochMs(Date.parse(validTo)));
  return { pem: root, der: raw, fingerprint256, subject: subject.replaceAll("\n", ", "), notAfter };
};

/** @see the file */
export class Certificates {
  readonly #dir: string;
  readonly #machine: string;
  readonly #now: () => number;
  readonly #warn: (line: string) => void;
  #authority: Authority | undefined;
  #names: readonly string[] = [];
  #uncovered: readonly string[] = [];
  #leaf: Leaf | undefined;

  /** @param dir of the authority. @param machine the host name. @param now milliseconds since 1970. */
  constructor(dir: string, machine: string, now: () => number, warn: (line: string) => void) {
    this.#dir = dir;
    this.#machine = machine;
    this.#now = now;
    this.#warn = warn;
  }

  async #find(): Promise<Authority | undefined> {
    if (this.#authority !== undefined) return this.#authority;
    // A folder that cannot be read is only an error for what needs a certificate.
    const kept = await readAuthority(this.#dir).catch(() => "none" as const);
    if (kept === "damaged") this.#warn(`The certificate authority in ${this.#dir} is damaged; a new one replaces it.`);
    if (typeof kept !== "string") this.#authority = kept;
    return this.#authority;
  }

  /** @throws StartError if the system refuses access to the folder. */
  #inFolder<T>(access: Promise<T>): Promise<T> {
    return access.catch((error: unknown) => {
      const what = `The folder of the certificate authority, ${this.#dir}, cannot be used: ${errorText(error)}.`;
      const advice = "Make it a folder that only you can read and write, or choose another one with --ca-dir.";
      throw new StartError("ca_unusable", `${what} ${advice}`, { file: this.#dir });
    });
  }

  async #make(replace: boolean): Promise<Authority> {
    const made = await createAuthority(this.#machine, this.#now());
    this.#authority = await this.#inFolder(keepAuthority(this.#dir, made, replace));
    return this.#authority;
  }

  async #findOrMake(): Promise<Authority> {
    const found = await this.#find();
    if (found === undefined) return await this.#make((await this.#inFolder(readAuthority(this.#dir))) === "damaged");
    const left = Date.parse(new X509Certificate(found.intermediate).validTo) - this.#now();
    return left > RENEW_MS ? found : await this.#make(true);
  }

  /** @returns the authority's certificate; undefined if there is none yet. */
  async root(): Promise<RootCertificate | undefined> {
    const authority = await this.#find();
    return authority === undefined ? undefined : rootOf(authority);
  }

  /** @returns the authority's certificate; creates an authority if there is none. */
  async makeRoot(): Promise<RootCertificate> {
    return rootOf(await this.#findOrMake());
  }

  /** @returns a leaf for this machine and these addresses; the previous one if it is still valid. */
  async leafFor(addresses: readonly string[]): Promise<Leaf> {
    const authority = await this.#findOrMake();
    const names = [...new Set([...ownNames(this.#machine), ...addresses.filter(isCovered)])];
    this.#uncovered = addresses.filter((address) => !isCovered(address));
    const isGood = this.#leaf !== undefined && this.#leaf.notAfter - this.#now() > RENEW_MS;
    if (this.#leaf !== undefined && isGood && names.join() === this.#names.join()) return this.#leaf;
    this.#names = names;
    this.#leaf = await issueLeaf(authority, names, this.#now());
    return this.#leaf;
  }

  /** @param on whether the leaf is in use. @returns the certificates in the form of the control API. */
  async items(on: boolean): Promise<Pick<TlsItem, "ca" | "leaf">> {
    const { der: _, ...ca } = (await this.root()) ?? { der: null };
    const leaf = on ? this.#leaf : undefined;
    const notAfter = isoInstant(epochMs(leaf?.notAfter ?? 0));
    return {
      ca: "pem" in ca ? ca : null,
      leaf: leaf === undefined ? null : { names: [...this.#names], uncovered: [...this.#uncovered], notAfter },
    };
  }
}
