/** Where a client can run, and the base URLs of auth from there. */
import type { RequestRow } from "#client/index.ts";
import type { Status } from "#contract/status.ts";

/** `show` in the URL; null: this machine. */
export const TARGETS = [
  [null, "This machine"],
  ["ios", "iOS simulator"],
  ["android", "Android emulator"],
  ["phone", "Phone"],
] as const;
/** @see TARGETS */
export type Target = (typeof TARGETS)[number][0];

/** A base URL, and when to use it. */
interface BaseUrl {
  readonly url: string;
  readonly use: string;
  readonly before?: string;
}

/** @returns the target in a URL. */
export const targetOf = (show: string | null): Target => TARGETS.find(([target]) => target === show)?.[0] ?? null;

const portOf = (url: string): string => new URL(url).port;

/** The https URLs of auth: on this machine, and for others; empty while https is off. */
export interface Secure {
  readonly url: string;
  readonly lanUrls: readonly string[];
}

/** @returns the base URLs for a target, best first: https if on; empty for a phone while the LAN is closed. */
export const baseUrls = (target: Target, { auth, lan }: Status["urls"], secure?: Secure): readonly BaseUrl[] => {
  const port = portOf(auth);
  const urls = secure === undefined ? [auth] : [secure.url, auth];
  const ports = urls.map(portOf);
  switch (target) {
    case null:
      return urls.map((url) => ({ url, use: "For a browser, a desktop app or a test on this machine" }));
    case "ios":
      return urls.map((url) => ({ url, use: "The simulator shares its Mac’s network" }));
    case "android":
      return [
        ...urls.map((url) => ({
          url: `${new URL(url).protocol}//10.0.2.2:${portOf(url)}`,
          use: "The emulator’s address for this machine; no setup",
        })),
        {
          url: `http://127.0.0.1:${port}`,
          use: "After adb reverse; also for a phone on a USB cable",
          before: ports.map((one) => `adb reverse tcp:${one} tcp:${one}`).join(" && "),
        },
      ];
    case "phone":
      return [...(secure?.lanUrls ?? []), ...lan].map((url) => ({ url, use: "For a phone on the same Wi-Fi" }));
  }
};

/** @returns the base URL for snippets: the best one, or a placeholder. */
export const snippetUrl = (target: Target, urls: Status["urls"], secure?: Secure): string =>
  baseUrls(target, urls, secure)[0]?.url ?? `http://<address of this machine>:${portOf(urls.auth)}`;

/** @returns the client address of a request, with an IPv4-mapped address as IPv4. */
export const remoteOf = ({ remote }: Pick<RequestRow, "remote">): string | null =>
  remote?.replace(/^::ffff:/i, "") ?? null;

/** @returns whether a request came from this machine: from loopback, or from an unknown address. */
export const isLoopback = (address: string | null): boolean =>
  address === null || address === "::1" || address.startsWith("127.");

/** @returns the User-Agent of a request. */
export const userAgentOf = ({ request }: Pick<RequestRow, "request">): string | null => {
  const sent = request.headers["user-agent"];
  return typeof sent === "string" ? sent : (sent?.[0] ?? null);
};

type Sent = Pick<RequestRow, "id" | "remote">;

/** Whom the log shows. `device`: another machine; `here`: this one, or an emulator on it. */
interface Reached<T> {
  readonly by: "nobody" | "device" | "here";
  readonly row?: T;
}

/**
 * @param rows newest first
 * @param lastBefore the newest row when the page was opened: older ones from this machine do not count
 * @returns the newest device, or else a client on this machine since the page was opened
 */
export const reachedBy = <T extends Sent>(rows: readonly T[], lastBefore: string | null): Reached<T> => {
  const device = rows.find((row) => !isLoopback(remoteOf(row)));
  if (device !== undefined) return { by: "device", row: device };
  const [newest] = rows;
  return newest === undefined || newest.id === lastBefore ? { by: "nobody" } : { by: "here", row: newest };
};
