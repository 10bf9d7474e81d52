/**
 * Whether a client has reached us, from the rows of the request log.
 */
import type { RequestRow } from "#client/index.ts";

/** @returns the address a request came from, without the IPv6 form of an IPv4 one. */
export const remoteOf = ({ remote }: Pick<RequestRow, "remote">): string | null =>
  remote?.replace(/^::ffff:/i, "") ?? null;

const isLoopback = (address: string | null): boolean =>
  address === null || address === "::1" || address.startsWith("127.");

/** @returns the User-Agent of a request. */
export const userAgentOf = ({ request }: Pick<RequestRow, "request">): string | null => {
  const sent = request.headers["user-agent"];
  return typeof sent === "string" ? sent : (sent?.[0] ?? null);
};

type Sent = Pick<RequestRow, "id" | "remote">;

/** What the log tells. `device`: from another machine; `here`: from this one, or an emulator on it. */
export type Reached<T extends Sent> = { readonly by: "nobody" } | { readonly by: "device" | "here"; readonly row: T };

/**
 * @param rows newest first
 * @param lastBefore the newest row when the page was opened: what came before it from this machine does not count
 * @returns who has reached us: the newest device, else who came from this machine since the page was opened
 */
export const reachedBy = <T extends Sent>(rows: readonly T[], lastBefore: string | null): Reached<T> => {
  const device = rows.find((row) => !isLoopback(remoteOf(row)));
  if (device !== undefined) return { by: "device", row: device };
  const [newest] = rows;
  return newest === undefined || newest.id === lastBefore ? { by: "nobody" } : { by: "here", row: newest };
};
