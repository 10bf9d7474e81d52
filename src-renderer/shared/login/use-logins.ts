/** The logins of an app, newest first: what the list, the search and the newest code are made of. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Passcode, RequestRow } from "#client/index.ts";
import { useLiveList } from "../../api/live-list.ts";
import { passcodeList, requestsQuery } from "../../api/queries.ts";
import { useNow } from "../../ui/parts.tsx";
import { isOfApp } from "../request/row-words.ts";
import { statusAt } from "./passcode-status.ts";
import { type Story, storiesOf } from "./stories.ts";

const FIRST = 200;
const ALL = 1_000;
const NO_ROWS: readonly RequestRow[] = [];
const NO_CODES: readonly Passcode[] = [];

/** When a login got its newest code, or was refused one. It stays the same while steps arrive. */
const beganAt = ({ rows, passcodes }: Story): string => passcodes.at(-1)?.createdAt ?? rows[0]?.at ?? "";

const SESSION_PATH = /^\/v1\/users\/session\/?(\?|$)/;

/** @returns requests of a login that were refused before anyone could tell whose it is: each stands by itself. */
const refusedAlone = (rows: readonly RequestRow[]): Story[] =>
  rows
    .filter(
      ({ login, status, method, path }) =>
        login === null && status >= 400 && /^(POST|PUT)$/.test(method) && SESSION_PATH.test(path),
    )
    .map((row) => ({ id: row.id, appId: row.appId, userId: row.userId, to: "", rows: [row], passcodes: [] }));

/** @param appId null: all apps. @param whole also those beyond the newest. @returns the logins, and the queries behind them. */
export const useLogins = (appId: string | null, whole: boolean) => {
  const codes = useLiveList(passcodeList, appId, whole);
  const requests = useQuery(requestsQuery({ listener: "auth" }, whole ? ALL : FIRST));
  const rows = requests.data?.items ?? NO_ROWS;
  const passcodes = codes.data?.items ?? NO_CODES;
  const logins = useMemo(() => {
    const own = rows.filter((row) => isOfApp(row, appId));
    const all = [...storiesOf(own, passcodes), ...refusedAlone(own)];
    return all.sort((a, b) => beganAt(b).localeCompare(beganAt(a)));
  }, [rows, passcodes, appId]);
  const list = {
    data: codes.data && requests.data && logins,
    error: codes.error ?? requests.error,
    refetch: () => Promise.all([codes.refetch(), requests.refetch()]),
  };
  return { logins, list };
};

/** @returns the newest code that can be typed now: the one of the detail, the key `c`, Find, and the mini window. */
export const useNewestCode = (appId: string | null): Passcode | undefined => {
  const nowMs = useNow(appId);
  const { data } = useQuery(passcodeList.query(appId));
  return data?.items.find((passcode) => statusAt(passcode, nowMs) === "active" && passcode.delivery === "sent");
};
