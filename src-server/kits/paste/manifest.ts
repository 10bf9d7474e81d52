/** What is pasted into the console, or dropped on it (CONTRACT 20): only in the UI. */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
export const manifest = frozen({ title: "Pasting and dropping in the console", page: "from-another-tool.md" } as const);
