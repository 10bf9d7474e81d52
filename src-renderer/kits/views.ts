/** What kits show in the place of another screen, while the address says `show`: one line for each. In the first view. */
import type { Screen } from "#contract/screens.ts";

interface View {
  /** The kit. */
  readonly name: string;
  readonly screen: Screen;
  readonly show: string;
  /** The link to it in that screen. */
  readonly word: string;
  /** What the palette finds it by, each with the row that it opens. */
  readonly ways: readonly (readonly [title: string, id: string | null])[];
}

// biome-ignore format: one line a view
const KIT_VIEWS = [
  { name: "keys", screen: "sessions", show: "keys", word: "Keys", ways: [["Signing keys", null]] },
  { name: "snapshots", screen: "fixtures", show: "snapshots", word: "Snapshots", ways: [["Save a snapshot", "new"], ["Restore a snapshot", null]] },
] as const satisfies readonly View[];

type Views = (typeof KIT_VIEWS)[number];
type PlaceOf<V extends Views> = V extends unknown ? `${V["screen"]}?${V["show"]}` : never;
/** Where a view stands: `sessions?keys`. */
export type ViewPlace = PlaceOf<Views>;

const VIEWS: readonly View[] = KIT_VIEWS;
/** @returns the views in the place of a screen, or of any. */
export const viewsOf = (screen?: Screen): readonly View[] =>
  VIEWS.filter((view) => screen === undefined || view.screen === screen);
