/**
 * The listeners of auth: always on loopback, on network addresses while the local network is open, and with TLS while
 * that is on. In the latter cases it checks the machine's addresses every two seconds.
 */
import type { Publish } from "#contract/control/events.ts";
import type { LanItem } from "#contract/control/network.ts";
import type { HttpApp } from "#http/message-classes.ts";
import type { NetworkPort, RootCertificate } from "#http/ports.ts";
import { localName, type MachineAddress } from "./addresses.ts";
import type { Certificates } from "./certificates.ts";
import type { OnHandshakeFailure } from "./handshakes.ts";
import { type Certificate, type Listening, LOOPBACK, listen } from "./listen.ts";
import { otherScheme } from "./other-scheme.ts";
import { StartError } from "./start-error.ts";
import type { Lookup } from "./url-check.ts";

const LOOK_MS = 2_000;

/** Dependencies of auth's listeners. */
export interface NetworkParts {
  readonly app: HttpApp;
  /** 0: any free port. */
  readonly port: number;
  readonly tlsPort: number;
  /** Lazy, because most starts need no certificates. */
  readonly certificates: () => Promise<Certificates>;
  readonly onFailure: OnHandshakeFailure;
  readonly publish: Publish;
  readonly warn: (line: string) => void;
  /** The host name; other machines may resolve it as `<name>.local`. */
  readonly machine: string;
  /** Absent: the system's name resolution. */
  readonly lookup: Lookup | undefined;
  /** @returns the current addresses of the machine. */
  readonly addresses: () => readonly MachineAddress[];
}

const isLoopback = (host: string): boolean => LOOPBACK.some((own) => own === host);
const inUrl = (address: string): string => (address.includes(":") ? `[${address}]` : address);

/** @see the file */
export class Network implements NetworkPort {
  readonly #parts: NetworkParts;
  readonly #http: Listening;
  #tls: Listening | undefined;
  #open = false;
  #addresses: readonly MachineAddress[] = [];
  #loaded: Promise<Certificates> | undefined;
  /** Changes run one at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Addresses whose listening failure was already reported. */
  readonly #said = new Set<string>();

  private constructor(parts: NetworkParts, http: Listening) {
    this.#parts = parts;
    this.#http = http;
  }

  /** Listens on loopback. @throws StartError */
  static async start(parts: NetworkParts): Promise<Network> {
    const onOtherScheme = otherScheme("auth", "http", parts.warn);
    return new Network(
      parts,
      await listen(parts.app, LOOPBACK, parts.port, "--auth-port", undefined, undefined, onOtherScheme),
    );
  }

  #certificates(): Promise<Certificates> {
    this.#loaded ??= this.#parts.certificates();
    return this.#loaded;
  }

  /** Runs a change after the previous ones. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(change);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #shown(): readonly MachineAddress[] {
    return this.#addresses.filter(({ isLinkLocal }) => !isLinkLocal);
  }

  #urls(scheme: "http" | "https", listening: Listening | undefined): string[] {
    if (!this.#open || listening === undefined) return [];
    const own = this.#shown().filter(({ host }) => listening.hosts.includes(host));
    return own.map(({ address }) => `${scheme}://${inUrl(address)}:${listening.port}`);
  }

  lan(): LanItem {
    // Without the timer the list can be out of date.
    if (this.#timer === undefined) this.#addresses = this.#parts.addresses();
    return {
      open: this.#open,
      urls: this.lanUrls(),
      tlsUrls: this.#urls("https", this.#tls),
      addresses: this.#shown().map(({ name, address }) => ({ name, address })),
    };
  }

  async tls() {
    return {
      on: this.#tls !== undefined,
      url: this.tlsUrl,
      lanUrls: this.#urls("https", this.#tls),
      ...(await (await this.#certificates()).items(this.#tls !== undefined)),
    };
  }

  /** @returns the URLs of auth for other machines. */
  lanUrls(): string[] {
    return this.#urls("http", this.#http);
  }

  /** The TLS URL of auth on this machine; null while TLS is off. */
  get tlsUrl(): string | null {
    return this.#tls === undefined ? null : `https://127.0.0.1:${this.#tls.port}`;
  }

  async reach() {
    const { machine, lookup } = this.#parts;
    const name = this.#open ? localName(machine) : undefined;
    const urls = this.#listening().flatMap((one) => {
      const scheme = one === this.#tls ? "https" : "http";
      const named = name === undefined ? [] : [`${scheme}://${name}:${one.port}`];
      return [`${scheme}://127.0.0.1:${one.port}`, ...this.#urls(scheme, one), ...named];
    });
    const own = this.#addresses.map(({ address }) => address);
    const ca = this.#tls === undefined ? undefined : (await this.root())?.pem;
    const { reach } = await import("./url-check.ts");
    return await Promise.all(urls.map((url) => reach(url, { own, ca, lookup })));
  }

  ports() {
    return { http: this.#http.port, tls: this.#tls?.port ?? null };
  }

  async root(): Promise<RootCertificate | undefined> {
    return await (await this.#certificates()).root();
  }

  makeRoot(): Promise<RootCertificate> {
    return this.#inTurn(async () => await (await this.#certificates()).makeRoot());
  }

  setLan(open: boolean): Promise<void> {
    return this.#inTurn(() => this.openLan(open));
  }

  setTls(on: boolean): Promise<void> {
    return this.#inTurn(() => this.openTls(on));
  }

  /** @throws StartError if that fails; nothing has changed then. */
  async openLan(open: boolean): Promise<void> {
    this.#addresses = this.#parts.addresses();
    const close = () => Promise.all(this.#listening().map((listening) => this.#fit(listening, false)));
    if (!open) await close();
    else if (!this.#open)
      try {
        for (const listening of this.#listening()) await this.#fit(listening, true, true);
      } catch (error) {
        await close();
        throw error;
      }
    this.#open = open;
    this.#changed();
  }

  /** @throws StartError if that fails; nothing has changed then. */
  async openTls(on: boolean): Promise<void> {
    if (on && this.#tls === undefined) {
      const { app, tlsPort, onFailure, warn } = this.#parts;
      this.#addresses = this.#parts.addresses();
      const security = { certificate: await this.#leaf(), onFailure };
      const onOtherScheme = otherScheme("auth", "https", warn);
      const tls = await listen(app, LOOPBACK, tlsPort, "--auth-tls-port", undefined, security, onOtherScheme);
      try {
        if (this.#open) await this.#fit(tls, true, true);
      } catch (error) {
        await tls.close(0);
        throw error;
      }
      this.#tls = tls;
    } else if (!on) {
      await this.#tls?.close(0);
      this.#tls = undefined;
    }
    this.#changed();
  }

  /** Closes everything. */
  async close(graceMs: number): Promise<void> {
    await this.#turn;
    this.#stopFollowing();
    await Promise.all(this.#listening().map((listening) => listening.close(graceMs)));
  }

  #listening(): Listening[] {
    return this.#tls === undefined ? [this.#http] : [this.#http, this.#tls];
  }

  /**
   * Makes a listener listen on loopback and, if `open`, on all addresses of the machine. An address that just appeared
   * or vanished is retried next time. @param strict throw if a port is taken, instead of logging it.
   */
  async #fit(listening: Listening, open: boolean, strict = false): Promise<void> {
    const wanted = open ? this.#addresses.map(({ host }) => host) : [];
    for (const host of listening.hosts) if (!isLoopback(host) && !wanted.includes(host)) await listening.remove(host);
    for (const host of wanted) {
      if (listening.hosts.includes(host)) continue;
      try {
        await listening.add(host);
      } catch (error) {
        if (error instanceof StartError && error.failure.code === "address_unavailable") continue;
        if (strict) throw error;
        const line = `Auth is not reachable on ${host}: ${error instanceof Error ? error.message : String(error)}`;
        if (!this.#said.has(line)) this.#parts.warn(line);
        this.#said.add(line);
      }
    }
  }

  async #leaf(): Promise<Certificate> {
    return await (await this.#certificates()).leafFor(this.#shown().map(({ address }) => address));
  }

  async #renewLeaf(): Promise<void> {
    if (this.#tls !== undefined) this.#tls.renew(await this.#leaf());
  }

  /** Follows changes of the machine's addresses and renews the certificate in time. */
  async #follow(): Promise<void> {
    const before = JSON.stringify(this.lan());
    this.#addresses = this.#parts.addresses();
    if (this.#open) for (const listening of this.#listening()) await this.#fit(listening, true);
    await this.#renewLeaf();
    if (JSON.stringify(this.lan()) !== before) this.#changed();
  }

  #changed(): void {
    const { publish, warn } = this.#parts;
    publish({ type: "lan.put", appId: null, item: this.lan() });
    if (!this.#open && this.#tls === undefined) this.#stopFollowing();
    else
      this.#timer ??= setInterval(() => {
        this.#inTurn(() => this.#follow()).catch((error: unknown) =>
          warn(`Changes of the local network cannot be detected: ${String(error)}`),
        );
      }, LOOK_MS).unref();
  }

  #stopFollowing(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
