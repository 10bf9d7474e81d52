/** The screens of kits, and after which screen each stands: one line for each. Without zod, since the first view has it. */
import { frozen } from "#contract/frozen.ts";

// biome-ignore format: one line a kit
export const KIT_SCREENS = frozen([
  { name: "coverage", after: "requests" },
  { name: "clock", after: "fixtures" },
] as const);
