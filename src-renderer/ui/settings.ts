/** The user's settings in this browser; shared between tabs. */
import type { MantineColorScheme } from "@mantine/core";
import { create } from "zustand";
import { persist } from "zustand/middleware";

/** @see useSettings */
export interface UiSettings {
  /** Whether single keys are shortcuts; users of speech input turn them off. */
  readonly singleKeys: boolean;
  readonly notifications: boolean;
  readonly recentCommands: readonly string[];
}

const NAME = "stagedoor.settings";
const FIRST: UiSettings = { singleKeys: true, notifications: false, recentCommands: [] };

const isSettings = (value: unknown): value is Partial<UiSettings> =>
  typeof value === "object" &&
  value !== null &&
  (!("recentCommands" in value) || (Array.isArray(value.recentCommands) && value.recentCommands.every(isText)));
const isText = (value: unknown): value is string => typeof value === "string";

/** The settings of this browser. */
export const useSettings = create<UiSettings>()(
  persist(() => FIRST, {
    name: NAME,
    merge: (saved, now) => ({ ...now, ...(isSettings(saved) ? saved : {}) }),
  }),
);

window.addEventListener("storage", ({ key }) => {
  if (key === NAME) void useSettings.persist.rehydrate();
});

/** The themes and their labels. */
export const SCHEMES: readonly { readonly value: MantineColorScheme; readonly label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
];
