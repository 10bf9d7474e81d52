/** The screens and pages of kits: one line for each. Without zod, since the first view has it. */
import { frozen } from "#contract/frozen.ts";

/** Those of the rail, and after which screen of the kernel each stands. */
// biome-ignore format: one line a kit
export const KIT_SCREENS = frozen([
  { name: "coverage", after: "requests" },
  { name: "clock", after: "fixtures" },
  { name: "faults", after: "fixtures" },
] as const);

/** Those without the frame. */
// biome-ignore format: one line a kit
export const KIT_PAGES = frozen([
  "stage",
] as const);
