/** A phone that does not come: its page is not where the stage looks for it. */
import { useLasting } from "../../ui/use-lasting.ts";
import type { Words } from "./words.ts";

/** How long the phone's page may take, in milliseconds. */
const PATIENCE_MS = 5_000;

/** @param isLoading whether the phone has not answered yet. @returns whether that has lasted for 5 s. */
export const useStuck = (isLoading: boolean): boolean => useLasting(isLoading, PATIENCE_MS);

/** @param auth the origin at which the stage looked. For whoever sets up the show, so in English. */
export const noPhone = (auth: string): Words => [
  "The phone does not respond",
  `The stage looked for it at ${auth}. If auth is reached at another URL, restart with --public-auth-url <URL>.`,
];
