/** Where a client can run, and the base URLs of auth from there. */
import type { RequestRow } from "#client/index.ts";
import type { Status } from "#contract/control/status.ts";
import { isLoopbackUrl } from "#contract/words/loopback.ts";

/** `show` in the URL; null: this machine. */
export const TARGETS = [
  [null, "This machine"],
  ["ios", "iOS simulator"],
  ["android", "Android emulator"],
  ["phone", "Phone"],
] as const;
export type Target = (typeof TARGETS)[number][0];

/** @returns the target in a URL. */
export const targetOf = (show: string | null): Target => TARGETS.find(([target]) => target === show)?.[0] ?? null;

const portOf = (url: string): string => new URL(url).port;

/** The https URLs of auth: on this machine, and for others; empty while https is off. */
export interface Secure {
  readonly url: string;
  readonly lanUrls: readonly string[];
}

/** The https URLs of auth: on this machine (null: none), and for others. */
export interface TlsUrls {
  readonly url: string | null;
  readonly lanUrls: readonly string[];
}

/** A base URL, when to use it, and a command to run before. */
interface BaseUrl {
  readonly url: string;
  readonly use: string;
  readonly before?: string;
}

/** @returns auth's public URL if other machines reach it under that; undefined if it is one of this machine. */
export const publicUrl = ({ auth }: Pick<Status["urls"], "auth">): string | undefined =>
  isLoopbackUrl(auth) ? undefined : auth;

/** @returns the https URLs of auth; undefined while it has none, or others reach it by its public URL. */
export const secureOf = (
  { urls, listening }: Pick<Status, "urls" | "listening">,
  tls: TlsUrls | undefined,
): Secure | undefined =>
  tls === undefined || tls.url === null || urls.auth !== listening.auth
    ? undefined
    : { url: tls.url, lanUrls: tls.lanUrls };

/** @returns the base URLs for a target, best first: https if on; empty for a phone while the LAN is closed. */
export const baseUrls = (target: Target, { auth, lan }: Status["urls"], secure?: Secure): readonly BaseUrl[] => {
  const own = secure === undefined ? [auth] : [secure.url, auth];
  const everywhere = publicUrl({ auth });
  if (everywhere !== undefined) return [{ url: everywhere, use: "From every device that reaches it" }];
  const all = (urls: readonly string[], use: string): BaseUrl[] => urls.map((url) => ({ url, use }));
  switch (target) {
    case null:
      return all(own, "For a browser, a desktop app or a test on this machine");
    case "ios":
      return all(own, "The simulator shares its Mac’s network");
    case "android": {
      const urls = own.map((url) => `${new URL(url).protocol}//10.0.2.2:${portOf(url)}`);
      return [
        ...all(urls, "The emulator’s address for this machine; no setup"),
        {
          url: `http://127.0.0.1:${portOf(auth)}`,
          use: "After adb reverse; also for a phone on a USB cable",
          before: own.map((url) => `adb reverse tcp:${portOf(url)} tcp:${portOf(url)}`).join(" && "),
        },
      ];
    }
    case "phone":
      return all([...(secure?.lanUrls ?? []), ...lan], "For a phone on the same Wi-Fi");
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

/**
 * @returns the newest request of a device (another machine), or else of a client on this one since the page was opened
 * @param rows newest first. @param lastBefore the newest row at that time
 */
export const reachedBy = <T extends Pick<RequestRow, "id" | "remote">>(
  rows: readonly T[],
  lastBefore: string | null,
) => {
  const device = rows.find((row) => !isLoopback(remoteOf(row)));
  if (device !== undefined) return { by: "device", row: device } as const;
  const [newest] = rows;
  const isOld = newest === undefined || newest.id === lastBefore;
  return isOld ? ({ by: "nobody", row: undefined } as const) : ({ by: "here", row: newest } as const);
};

/** Where a client runs, and the app that it is for. */
export interface OfTarget {
  readonly target: Target;
  readonly isSecure: boolean;
  readonly appId: string;
}
