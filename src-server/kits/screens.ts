/** The screens of kits, and after which screen each stands: one line for each. Without zod, since the first view has it. */
// biome-ignore format: one line a kit
export const KIT_SCREENS = [
  { name: "coverage", after: "requests" },
] as const;
