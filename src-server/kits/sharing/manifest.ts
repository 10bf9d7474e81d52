/** One Stagedoor for many jobs: each has an app of its own, with a lease (CONTRACT 13). */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
export const manifest = frozen({
  title: "Sharing: one instance for many jobs",
  page: "deploy/README.md",
  needs: ["leases"],
  wakes: { app: "joined" },
} as const);
