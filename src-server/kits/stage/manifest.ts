/** The stage: a login for an audience, without an app (CONTRACT 10). */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
// Its phone is the demo app, and `--lan` opens auth to the network.
export const manifest = frozen({
  title: "The stage: a login for an audience",
  page: "stage.md",
  needs: ["demo", "devices"],
} as const);
