/** Apps that end after a while without a request (CONTRACT 13). How long is in the app's record, which is the kernel's. */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
export const manifest = frozen({
  title: "Leased apps, which end when nothing uses them",
  page: "deploy/scale.md",
} as const);
