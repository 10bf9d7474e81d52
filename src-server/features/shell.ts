/** What kits ask of the desktop shell, by kit: one line for each. */
import { frozen } from "#contract/frozen.ts";

interface ShellWindow {
  readonly page: string;
  readonly size: { readonly width: number; readonly height: number };
}

// biome-ignore format: one line a kit
const WINDOWS = frozen<Readonly<Record<string, ShellWindow>>>({
  stage: { page: "/stage/notes", size: { width: 520, height: 760 } },
});

/** The sizes of windows that pages of the console may open, by page. */
export const KIT_WINDOWS = frozen<Readonly<Record<string, ShellWindow["size"]>>>(
  Object.fromEntries(Object.values(WINDOWS).map(({ page, size }) => [page, size])),
);

/** The pages of auth, on another port of the console's host, that pages of the console may show in a frame. */
// biome-ignore format: one line a kit
export const KIT_FRAMES = frozen<Readonly<Record<string, string>>>({
  stage: "/emulator/demo/",
});

/** The commands that repair a damaged journal. */
// biome-ignore format: one line a kit
export const KIT_REPAIRS = frozen<Readonly<Record<string, readonly string[]>>>({
  doctor: ["doctor", "--repair"],
});
