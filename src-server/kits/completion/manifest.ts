/** Completion of the command line in bash, zsh and fish (CONTRACT 13). */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
export const manifest = frozen({ title: "Completion in shells", page: "command-line.md" } as const);
