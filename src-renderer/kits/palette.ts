/** What kits add to the palette: one line for each. Loaded with the palette. */
import type { Command } from "../shell/palette-store.ts";
import { useClockCommands } from "./clock/commands.ts";
import { useFaultCommands } from "./faults/commands.ts";
import { usePasted } from "./paste/pasted.ts";
import { useHistoryCommands } from "./rewind/commands.tsx";
import { useStageCommands } from "./stage/commands.ts";

/** @returns the commands of all kits. */
// biome-ignore format: one line a kit
export const useKitCommands = (): readonly Command[] => [
  ...useClockCommands(),
  ...useStageCommands(),
  ...useFaultCommands(),
  ...useHistoryCommands(),
];

/** @param _typed unused where there is no kit. @returns what kits find for the typed text. */
// biome-ignore format: one line a kit
export const useQueryCommands = (_typed: string): readonly Command[] => [
  ...usePasted(_typed),
];
