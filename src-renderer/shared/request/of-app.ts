import type { RequestRow } from "#client/index.ts";

/** @returns whether a row is in an app's log: its own, or without a known app. @param app null: all apps. */
export const isOfApp = ({ appId }: RequestRow, app: string | null): boolean =>
  app === null || appId === app || appId === null;
