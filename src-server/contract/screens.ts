/** The screens of the console UI, in rail order; their pages are `/<screen>` and `/<screen>/<id>`. */
import { KIT_PAGES, KIT_SCREENS } from "#features/screens.ts";
import { frozen } from "./frozen.ts";

// biome-ignore format: a list
const KERNEL_SCREENS = frozen([
  "inbox", "sessions", "profiles", "connections", "requests", "connect", "apps", "fixtures",
] as const);

/** The screen of a kit. */
export type KitScreen = (typeof KIT_SCREENS)[number]["name"];
type KernelScreen = (typeof KERNEL_SCREENS)[number];
type RailScreen = KernelScreen | KitScreen;

const ofKits: readonly { readonly name: KitScreen; readonly after: KernelScreen }[] = KIT_SCREENS;
const after = (screen: string): readonly KitScreen[] =>
  ofKits.filter((one) => one.after === screen).map(({ name }) => name);

/** Those of the rail, in order. */
export const RAIL_SCREENS = frozen<readonly RailScreen[]>(
  KERNEL_SCREENS.flatMap((screen) => [screen, ...after(screen)]),
);
/** A page of a kit without the frame. */
export type KitPage = (typeof KIT_PAGES)[number];
/** A page of the console. */
export type Screen = RailScreen | "mini" | KitPage;
/** All pages; `mini` (a small window) and those of kits are shown without the frame. */
export const SCREENS = frozen<readonly Screen[]>([...RAIL_SCREENS, "mini", ...KIT_PAGES]);
