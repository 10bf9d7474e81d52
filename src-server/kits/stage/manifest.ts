/** The stage: a login for an audience, without an app (CONTRACT 10). */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
// Its phone is the demo app, `--lan` opens auth to the network, and the presenter can make a request fail and a code expire.
export const manifest = frozen({
  title: "The stage: a login for an audience",
  page: "stage.md",
} as const);
