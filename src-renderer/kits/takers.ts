/** What kits do in the whole frame, and who takes a pasted text: one line for each. In the first view. */
import type { Taker } from "./manifest.ts";
import { usePasteAndDrop, useTakePasted } from "./paste/paste-and-drop.ts";

/** Called by the frame. */
// biome-ignore format: one line a kit
export const useKitsOfFrame = (): void => {
  usePasteAndDrop();
};

/** @returns who takes a pasted text, in this order. */
// biome-ignore format: one line a kit
export const useTakers = (): readonly Taker[] => [
  useTakePasted(),
];
