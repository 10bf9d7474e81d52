import type { ReactNode } from "react";
import type { App } from "#client/index.ts";
import { inARow } from "./in-a-row.ts";
import { LeasePart, LeaseWatch, leaseWords } from "./leases/lease-part.tsx";
import type { OfApp, OfApps } from "./manifest.ts";

/** What kits say of an app in its row, if they do: one line for each. */
// biome-ignore format: one line a kit
const WORDS: readonly ((app: App) => ReactNode)[] = [
  leaseWords,
];

/** @returns what is said of an app in its row, instead of its settings; undefined if no kit says anything. */
export const wordsOfApp = (app: App): ReactNode =>
  WORDS.map((words) => words(app)).find((words) => words !== undefined);

/** What kits show in the detail of an app: one line for each. */
// biome-ignore format: one line a kit
export const AppParts = inARow<OfApp>([
  LeasePart,
]);

/** What kits do while the apps are on the screen: one line for each. */
// biome-ignore format: one line a kit
export const AppWatches = inARow<OfApps>([
  LeaseWatch,
]);
