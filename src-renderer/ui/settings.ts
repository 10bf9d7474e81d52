/**
 * What the visitor has set for this browser; other tabs follow.
 */
import { create } from "zustand";
import { persist } from "zustand/middleware";

/** @see useSettings */
export interface Settings {
  /** Whether single keys are shortcuts; speech input needs them off. */
  readonly singleKeys: boolean;
  /** Whether the desktop shows new codes, where the browser allows it. */
  readonly notifications: boolean;
  /** The ids of the commands that were run last, the last one first. */
  readonly recentCommands: readonly string[];
}

const NAME = "stagedoor.settings";
const FIRST: Settings = { singleKeys: true, notifications: false, recentCommands: [] };

const isSettings = (value: unknown): value is Partial<Settings> =>
  typeof value === "object" &&
  value !== null &&
  (!("recentCommands" in value) || (Array.isArray(value.recentCommands) && value.recentCommands.every(isText)));
const isText = (value: unknown): value is string => typeof value === "string";

/** The settings of this browser. */
export const useSettings = create<Settings>()(
  persist(() => FIRST, {
    name: NAME,
    merge: (saved, now) => ({ ...now, ...(isSettings(saved) ? saved : {}) }),
  }),
);

window.addEventListener("storage", ({ key }) => {
  if (key === NAME) void useSettings.persist.rehydrate();
});
