import { useQuery } from "@tanstack/react-query";
import type { App, RequestRow } from "#client/index.ts";
import { whatToChange } from "#contract/hints.ts";
import { passcodeList } from "../../api/queries.ts";

/** @returns what a refused request has to change, by the passcodes of its user; nothing where a fault has answered it. */
export const useWhatToChange = (row: RequestRow, apps: readonly App[]): readonly string[] => {
  const { data: sent } = useQuery({
    ...passcodeList.query(row.appId),
    enabled: row.reason?.startsWith("passcode_") ?? false,
  });
  return whatToChange(row, { apps, passcodes: sent?.items ?? [] });
};
