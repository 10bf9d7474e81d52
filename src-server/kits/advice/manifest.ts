/** What to do about a request that failed, or may be wrong although it worked (CONTRACT 24). The row holds it. */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
// The first request of all may be the one that fails.
export const manifest = frozen({
  title: "Advice on requests",
  page: "failed-logins.md",
} as const);
