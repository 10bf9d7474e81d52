/** The clients of auth, by address and user agent: in memory, within limits. */

import { BOUNDS } from "#contract/bounds.ts";
import type { ClientItem } from "#contract/control/clients.ts";
import type { Publish } from "#contract/control/events.ts";
import { Recent } from "#contract/recent.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { type Exchange, userAgentOf } from "./traffic/exchange.ts";

/** Minimum interval between events about one client, in milliseconds. */
const TELL_MS = 500;

/** User agent of our own reachability checks, which are not clients. */
export const OWN_AGENT = "stagedoor-check";

/** Words in a user agent and the device that they indicate; the first entry whose words all occur wins. */
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

/** @returns the device in a user agent: one of our names, or the name of its first product. */
export const deviceOf = (userAgent: string | null): string | null => {
  if (userAgent === null) return null;
  const known = DEVICES.find(([words]) => words.every((word) => userAgent.includes(word)));
  return known?.[1] ?? /^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? null;
};

/** The address in its usual form: an IPv4-mapped IPv6 address as IPv4. */
export const plainAddress = (remote: string): string => remote.replace(/^::ffff:(?=\d+\.)/, "");

/** A client as stored; times are numbers, because most are never shown. */
type Client = { -readonly [K in keyof Omit<ClientItem, "firstSeenAt" | "lastSeenAt">]: ClientItem[K] } & {
  readonly firstMs: number;
  lastMs: number;
};

const NOTHING = { http: false, https: false, tlsRefusals: 0, tlsAborted: 0, requests: 0 } as const;

const clientItemOf = ({ firstMs, lastMs, ...client }: Client): ClientItem => ({
  ...client,
  firstSeenAt: isoInstant(epochMs(firstMs)),
  lastSeenAt: isoInstant(epochMs(lastMs)),
});

export class Clients {
  /** By address and user agent, the longest inactive first. */
  readonly #all = new Recent<string, Client>(BOUNDS.clients.most);
  readonly #now: () => number;
  readonly #uuid: () => string;
  readonly #publish: Publish;
  readonly #changed = new Set<Client>();
  #timer: NodeJS.Timeout | undefined;

  /** @param now real time, milliseconds since 1970. @param publish called for each client that changes. */
  constructor(now: () => number, uuid: () => string, publish: Publish) {
    this.#now = now;
    this.#uuid = uuid;
    this.#publish = publish;
  }

  /** Records a request that has been answered. */
  note({ remote, requestHeaders, scheme, status, reason }: Exchange): void {
    const userAgent = userAgentOf(requestHeaders);
    if (userAgent === OWN_AGENT) return;
    const client = this.#client(plainAddress(remote ?? ""), userAgent);
    client[scheme] = true;
    client.requests++;
    client.lastStatus = status;
    client.lastReason = reason;
  }

  /** Records a failed TLS handshake. Only its address is known, so it counts for the last client there, if any. */
  noteHandshake(address: string, how: "refused" | "aborted"): void {
    const remote = plainAddress(address);
    const there = [...this.#all.values()].findLast((client) => client.remote === remote);
    this.#client(remote, there?.userAgent ?? null)[how === "refused" ? "tlsRefusals" : "tlsAborted"]++;
  }

  list(): ClientItem[] {
    return [...this.#all.values()].toReversed().map(clientItemOf);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#changed.clear();
  }

  #client(remote: string, userAgent: string | null): Client {
    const now = this.#now();
    const key = `${remote} ${userAgent ?? ""}`;
    // A client known only by a failed handshake gets its user agent from its first request.
    const unnamed = this.#all.get(`${remote} `);
    const known = this.#all.get(key) ?? (unnamed?.requests === 0 ? unnamed : undefined);
    const client = known ?? this.#create(remote, userAgent, now);
    if (client.userAgent !== userAgent) {
      this.#all.delete(`${remote} `);
      Object.assign(client, { userAgent, device: deviceOf(userAgent) });
    }
    client.lastMs = now;
    this.#all.set(key, client);
    this.#changed.add(client);
    this.#timer ??= setTimeout(() => this.#tell(), TELL_MS).unref();
    return client;
  }

  #create(remote: string, userAgent: string | null, now: number): Client {
    const unseen = { ...NOTHING, lastStatus: null, lastReason: null, firstMs: now, lastMs: now };
    return { id: this.#uuid(), remote, userAgent, device: deviceOf(userAgent), ...unseen };
  }

  #tell(): void {
    this.#timer = undefined;
    for (const client of this.#changed) this.#publish({ type: "client.put", appId: null, item: clientItemOf(client) });
    this.#changed.clear();
  }
}
