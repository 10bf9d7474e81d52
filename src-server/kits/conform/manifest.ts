/** Measures how a service behaves, and writes settings that match (CONTRACT 12). */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
export const manifest = frozen({ title: "Measuring how a service behaves", page: "conform.md" } as const);
