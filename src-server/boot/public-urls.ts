/** The URLs at which others reach the listeners: through a proxy, or published under other ports (CONTRACT 23). */
import type { ListeningUrls } from "#http/deps.ts";
import { adminHostRule, consoleHostRule } from "#http/guard.ts";
import type { Config } from "../config.ts";

/** The URLs for others, by listener; absent: those for this machine. */
export type PublicUrls = Partial<ListeningUrls>;

/** @returns those that were given. */
export const publicUrlsOf = ({ publicUrls: { admin, auth, console } }: Config): PublicUrls => ({
  ...(admin !== null && { admin }),
  ...(auth !== null && { auth }),
  ...(console !== null && { console }),
});

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
