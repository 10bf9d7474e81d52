/** `stagedoor doctor`: checks this machine and the data, and repairs the data (CONTRACT 7, 8). */

/** @see the file */
export const manifest = { title: "Diagnosis of the machine, repair of the data", page: "reliability.md" } as const;
