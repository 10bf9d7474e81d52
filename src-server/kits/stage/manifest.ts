/** The stage: a login for an audience, without an app (CONTRACT 10). */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
export const manifest = frozen({ title: "The stage: a login for an audience", page: "stage.md" } as const);
