/** What is known of a request by itself, without the descriptions of errors. */
import type { RequestRow } from "#client/index.ts";
import { shortReason } from "#contract/service/reasons.ts";

/** @returns whether a row is in an app's log: its own, or without a known app. @param app null: all apps. */
export const isOfApp = ({ appId }: RequestRow, app: string | null): boolean =>
  app === null || appId === app || appId === null;

/** @returns what a refusal is called, such as `wrong code`. */
export const refusalName = ({ reason }: RequestRow): string =>
  shortReason(reason) ?? (reason ?? "refused").replaceAll("_", " ");
