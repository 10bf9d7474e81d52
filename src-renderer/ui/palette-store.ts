import { createSpotlight } from "@mantine/spotlight";

/** A command of the palette. */
export interface Command {
  /** Stable over time, because recent commands are stored by id. */
  readonly id: string;
  readonly title: string;
  readonly hint?: string | undefined;
  readonly run: () => unknown;
}

/** State and actions of the palette. */
export const [paletteStore, palette] = createSpotlight();

/** Longer texts are none that the palette knows. */
export const MOST_TYPED = 20_000;

/** Enter was pressed while the options were still loading. */
export const early = { enter: false };

/** The shortcut that opens it, as written on this platform. */
export const PALETTE_KEYS: string = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

/** @returns the element id of an option, for `aria-activedescendant`. */
export const optionId = (index: number): string => `command-${index}`;
