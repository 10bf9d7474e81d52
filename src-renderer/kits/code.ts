/** The screens of kits, each loaded when it is first shown: one line for each. */
import type { ComponentType } from "react";
import type { KitScreen } from "#contract/screens.ts";

/** By the name of the screen. */
// biome-ignore format: one line a kit
export const KIT_CONTENT: Readonly<Record<KitScreen, () => Promise<ComponentType>>> = {
  coverage: async () => (await import("./coverage/coverage-screen.tsx")).CoverageScreen,
};
