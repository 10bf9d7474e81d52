/** Who has asked auth: by address and user agent, in memory, within bounds (CONTRACT 9, clients). */
import { BOUNDS } from "#contract/bounds.ts";
import type { ClientItem } from "#contract/clients.ts";
import type { Publish } from "#contract/events.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { type Exchange, userAgentOf } from "./traffic/exchange.ts";

/** Events of one client come at most so often; milliseconds. */
const TELL_MS = 500;

/** Of our own checks whether a URL answers: no client. */
export const OWN_AGENT = "stagedoor-check";

/** What stands in a user agent, and what that tells. The first of which all words are there counts. */
const DEVICES: readonly (readonly [words: readonly string[], device: string])[] = [
  [["iPhone"], "iPhone"],
  [["iPod"], "iPhone"],
  [["iPad"], "iPad"],
  [["Android", "Mobile"], "Android phone"],
  [["Dalvik", "Android"], "Android phone"],
  [["Android"], "Android device"],
  [["okhttp/"], "Android app"],
  [["CFNetwork/", "Darwin/"], "iOS app"],
  [["Dart/"], "Flutter app"],
  [["curl/"], "curl"],
  [["Windows NT"], "Windows computer"],
  [["Macintosh"], "Mac"],
  [["CrOS"], "Chromebook"],
  [["Linux"], "Linux computer"],
];

/** @returns what a user agent tells of its device: a name of ours, or that of its first product. */
export const deviceOf = (userAgent: string | null): string | null => {
  if (userAgent === null) return null;
  const known = DEVICES.find(([words]) => words.every((word) => userAgent.includes(word)));
  return known?.[1] ?? /^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? null;
};

/** The address as people write it: IPv4 in an IPv6 coat is IPv4. */
const plain = (remote: string): string => remote.replace(/^::ffff:(?=\d+\.)/, "");

/** A client in the making; its times are numbers, as most are never shown. */
type Client = { -readonly [K in keyof Omit<ClientItem, "firstSeenAt" | "lastSeenAt">]: ClientItem[K] } & {
  readonly firstMs: number;
  lastMs: number;
};

const shown = ({ firstMs, lastMs, ...client }: Client): ClientItem => ({
  ...client,
  firstSeenAt: isoInstant(epochMs(firstMs)),
  lastSeenAt: isoInstant(epochMs(lastMs)),
});

/** @see the file */
export class Clients {
  /** By address and user agent, the longest silent first. */
  readonly #all = new Map<string, Client>();
  #newest: Client | undefined;
  readonly #now: () => number;
  readonly #uuid: () => string;
  readonly #publish: Publish;
  readonly #changed = new Set<Client>();
  #timer: NodeJS.Timeout | undefined;

  /** @param now real time, milliseconds since 1970. @param publish told of each client that has changed. */
  constructor(now: () => number, uuid: () => string, publish: Publish) {
    this.#now = now;
    this.#uuid = uuid;
    this.#publish = publish;
  }

  /** Notes a request that is answered. */
  note({ remote, requestHeaders, scheme, status, reason }: Exchange): void {
    const userAgent = userAgentOf(requestHeaders);
    if (userAgent === OWN_AGENT) return;
    const client = this.#client(remote ?? "", userAgent);
    client[scheme] = true;
    client.requests++;
    client.lastStatus = status;
    client.lastReason = reason;
  }

  /** Notes a TLS handshake that failed. Who it was is not known but by the address: the last client there, if any. */
  noteHandshake(remote: string, how: "refused" | "aborted"): void {
    const there = [...this.#all.values()].findLast((client) => client.remote === plain(remote));
    const client = this.#client(remote, there?.userAgent ?? null);
    if (how === "refused") client.tlsRefusals++;
    else client.tlsAborted++;
  }

  /** @returns the clients, the newest first. */
  list(): ClientItem[] {
    return [...this.#all.values()].toReversed().map(shown);
  }

  /** Tells nothing any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.clear();
  }

  /** @returns the client, as the last that was heard of. */
  #client(address: string, userAgent: string | null): Client {
    const remote = plain(address);
    const key = `${remote} ${userAgent ?? ""}`;
    const now = this.#now();
    // Whoever failed in a handshake says its name with its first request.
    const unnamed = this.#all.get(`${remote} `);
    const known = this.#all.get(key) ?? (unnamed?.requests === 0 ? unnamed : undefined);
    const client: Client = known ?? {
      id: this.#uuid(),
      remote,
      userAgent,
      device: deviceOf(userAgent),
      firstMs: now,
      lastMs: now,
      http: false,
      https: false,
      tlsRefusals: 0,
      tlsAborted: 0,
      requests: 0,
      lastStatus: null,
      lastReason: null,
    };
    if (client.userAgent !== userAgent) {
      this.#all.delete(`${remote} `);
      this.#newest = undefined;
      client.userAgent = userAgent;
      client.device = deviceOf(userAgent);
    }
    client.lastMs = now;
    if (client !== this.#newest) this.#setNewest(key, client);
    this.#changed.add(client);
    this.#timer ??= setTimeout(() => this.#tell(), TELL_MS).unref();
    return client;
  }

  #setNewest(key: string, client: Client): void {
    this.#newest = client;
    this.#all.delete(key);
    this.#all.set(key, client);
    const [oldest] = this.#all.keys();
    if (this.#all.size > BOUNDS.clients.most && oldest !== undefined) this.#all.delete(oldest);
  }

  #tell(): void {
    this.#timer = undefined;
    for (const client of this.#changed) this.#publish({ type: "client.put", appId: null, item: shown(client) });
    this.#changed.clear();
  }
}
