/** `stagedoor doctor`: checks this machine and the data, and repairs the data (CONTRACT 7, 8). */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
export const manifest = frozen({
  title: "Diagnosis of the machine, repair of the data",
  page: "reliability.md",
} as const);
