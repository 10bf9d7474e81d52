/** What kits show in the place of another screen, while the address says `show`: one line for each. In the first view. */
import type { Screen } from "#contract/screens.ts";

interface View {
  /** The kit. */
  readonly name: string;
  readonly screen: Screen;
  readonly show: string;
  /** The link to it in that screen, and its title in the palette. */
  readonly word: string;
  readonly way: string;
}

// biome-ignore format: one line a view
export const KIT_VIEWS = [
  { name: "keys", screen: "sessions", show: "keys", word: "Keys", way: "Signing keys" },
] as const satisfies readonly View[];

type Views = (typeof KIT_VIEWS)[number];
type PlaceOf<V extends Views> = V extends unknown ? `${V["screen"]}?${V["show"]}` : never;
/** Where a view stands: `sessions?keys`. */
export type ViewPlace = PlaceOf<Views>;

/** @returns the views in the place of a screen. */
export const viewsOf = (screen: Screen): readonly View[] => KIT_VIEWS.filter((view) => view.screen === screen);
