/** The screens, pages and views of kits, each loaded when it is first shown: one line for each. */
import type { ComponentType } from "react";
import type { KitPage, KitScreen } from "#contract/screens.ts";
import type { ViewPlace } from "./views.ts";

/** By the name of the screen. */
// biome-ignore format: one line a kit
export const KIT_CONTENT: Readonly<Record<KitScreen, () => Promise<ComponentType>>> = {
  coverage: async () => (await import("./coverage/coverage-screen.tsx")).CoverageScreen,
  clock: async () => (await import("./clock/clock-screen.tsx")).ClockScreen,
  faults: async () => (await import("./faults/faults-screen.tsx")).FaultsScreen,
};

/** Pages without the frame. */
// biome-ignore format: one line a kit
export const KIT_PAGE: Readonly<Record<KitPage, () => Promise<ComponentType>>> = {
  stage: async () => (await import("./stage/stage-or-notes.tsx")).StageOrNotes,
};

/** By where it stands. */
// biome-ignore format: one line a view
export const VIEW_CONTENT: { readonly [P in ViewPlace]: () => Promise<ComponentType> } = {
  "sessions?keys": async () => (await import("./keys/keys-part.tsx")).KeysPart,
  "fixtures?snapshots": async () => (await import("./snapshots/snapshots-part.tsx")).SnapshotsPart,
};
