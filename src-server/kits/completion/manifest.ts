/** Completion of the command line in bash, zsh and fish (CONTRACT 13). */

/** @see the file */
export const manifest = { title: "Completion in shells", page: "command-line.md" } as const;
