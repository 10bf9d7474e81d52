import { useQuery } from "@tanstack/react-query";
import type { App, RequestRow } from "#client/index.ts";
import { passcodeList } from "../../api/queries.ts";
import { whatToChange } from "./hints.ts";

/** @returns what a refused request has to change, by the passcodes of its user; nothing where a fault has answered it. */
export const useWhatToChange = (row: RequestRow, apps: readonly App[]): readonly string[] => {
  const { data: sent } = useQuery({
    ...passcodeList.query(row.appId),
    enabled: row.reason?.startsWith("passcode_") ?? false,
  });
  if (row.fault !== null) return [];
  const passcodes = sent?.items.filter(({ userId }) => userId === row.userId) ?? [];
  return whatToChange(row, { apps, passcodes });
};
