/** The URLs at which others reach the listeners: through a proxy, or published under other ports. */
import type { Listener } from "#contract/control/routes.ts";
import type { ListeningUrls, Urls } from "#http/deps.ts";
import { adminHostRule, consoleHostRule } from "#http/guards/guard.ts";
import type { Config } from "../config.ts";

/** The URLs for others, by listener; absent: those for this machine. */
export type PublicUrls = Partial<ListeningUrls>;

/** The URLs for others: those of the start, and those that PUT public-urls sets, until the end. */
export class PublishedUrls {
  #given: PublicUrls;
  #listening: Urls | undefined;
  #urls: Urls | undefined;

  constructor({ publicUrls: { admin, auth, console } }: Pick<Config, "publicUrls">) {
    this.#given = {};
    this.set({ admin, auth, console });
  }

  /** Those that were given. */
  get given(): PublicUrls {
    return this.#given;
  }

  /** Takes more of them; null: the URL that listens. */
  set(urls: Readonly<Partial<Record<Listener, string | null>>>): void {
    this.#given = Object.fromEntries(Object.entries({ ...this.#given, ...urls }).filter(([, url]) => url !== null));
    this.#urls = undefined;
  }

  /** @param listening the URLs for this machine. @returns those to give to others. */
  over(listening: Urls): Urls {
    if (this.#urls !== undefined && this.#listening === listening) return this.#urls;
    const { admin, auth, console } = { ...listening, ...this.#given };
    this.#listening = listening;
    this.#urls = {
      ...{ admin, auth, console },
      get lan() {
        return listening.lan;
      },
    };
    return this.#urls;
  }
}

/** @param machine its host name. @returns a line for each public URL whose host its listener would refuse with 421. */
export const unreachableNotices = (config: Config, machine: string): readonly string[] => {
  const { admin, console } = config.publicUrls;
  const refused = [
    { name: "admin", url: admin, rule: adminHostRule(machine, config.allowHosts) },
    { name: "console", url: console, rule: consoleHostRule(config.allowHosts) },
  ];
  return refused.flatMap(({ name, url, rule }) => {
    const host = url === null ? undefined : new URL(url).hostname.replace(/^\[|\]$/g, "");
    if (host === undefined || rule(host)) return [];
    return [`The ${name} listener rejects the host of --public-${name}-url: add --allow-host ${host}.`];
  });
};
