/** One Stagedoor for many jobs: the join token, and tokens that are bound to one app (CONTRACT 13). */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
export const manifest = frozen({
  title: "Sharing: one instance for many jobs",
  page: "deploy/README.md",
  needs: ["leases"],
} as const);
