import { createSpotlight } from "@mantine/spotlight";

/** What the palette can do. */
export interface Command {
  /** Stays the same over time: it is remembered. */
  readonly id: string;
  readonly title: string;
  /** A word beside it: what it would copy, or whom it is about. */
  readonly hint?: string;
  readonly run: () => unknown;
}

/** The palette's state, and what opens and closes it. */
export const [paletteStore, palette] = createSpotlight();

/** Enter was pressed while the options were still being loaded. */
export const early = { enter: false };

/** What opens it, as it is written on this system. */
export const PALETTE_KEYS: string = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

/** @returns the id of the option at a place, by which the field names the selected one. */
export const optionId = (index: number): string => `command-${index}`;
