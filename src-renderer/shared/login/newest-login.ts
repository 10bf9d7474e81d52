/** The newest login, if it has ended without a code that the inbox shows: a sign-up, or a refusal. */
import { useQuery } from "@tanstack/react-query";
import type { Passcode, RequestRow } from "#client/index.ts";
import { newestRequestsQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { isOfApp } from "../request/of-app.ts";

const LOGIN = /^\/v1\/users\/session\/?(?:\?|$)/;
const isSent = ({ method }: RequestRow): boolean => method === "POST" || method === "PUT";
/** A request of a login, or one that was meant to be. */
const isOfLogin = (row: RequestRow): boolean => isSent(row) && (LOGIN.test(row.path) || row.status >= 400);

/** @param hero the newest code. @returns the newest login if it has ended without a code that the screen shows. */
const endedOtherwise = (rows: readonly RequestRow[], hero: Passcode | undefined): RequestRow | undefined => {
  const at = rows.findIndex(isOfLogin);
  const row = rows[at];
  if (row === undefined || row.fault !== null || row.status === 0 || row.status === 202) return undefined;
  const isSignUp = row.status < 400 && row.method === "POST";
  if (!isSignUp && row.status < 400) return undefined;
  if (hero === undefined) return row;
  const sentAt = rows.findIndex(({ id }) => id === hero.requestId);
  const isNewer = sentAt >= 0 ? at < sentAt : row.at > hero.createdAt;
  // What happens to the user of the code is said beside the code.
  return isNewer && row.userId !== hero.userId ? row : undefined;
};

/** @param newest the newest code. @returns the request that ended the login; without `row`, the code says it all. */
export const useEndedOtherwise = (
  newest: Passcode | undefined,
): { readonly isPending: boolean; readonly row: RequestRow | undefined } => {
  const { address } = useAddress();
  const { data, isPending } = useQuery(newestRequestsQuery());
  const own = data?.items.filter((row) => isOfApp(row, address.app)) ?? [];
  return { isPending, row: endedOtherwise(own, newest) };
};
