import { useQuery } from "@tanstack/react-query";
import type { App, RequestRow } from "#client/index.ts";
import { whatToChange } from "#contract/hints.ts";
import { passcodeList } from "../../api/queries.ts";

/** @returns how to fix a refused request, based on its user's passcodes; empty if a fault caused it. */
export const useWhatToChange = (row: RequestRow, apps: readonly App[]): readonly string[] => {
  const { data: sent } = useQuery({
    ...passcodeList.query(row.appId),
    enabled: row.reason?.startsWith("passcode_") ?? false,
  });
  return whatToChange(row, { apps, passcodes: sent?.items ?? [] });
};
