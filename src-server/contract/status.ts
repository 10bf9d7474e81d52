/**
 * What the running emulator says of itself.
 */
import { z } from "zod";

/** How much a write is worth before it is answered (CONTRACT 8). */
export const durability = z.enum(["process", "disk", "memory"]);
/** @see durability */
export type Durability = z.infer<typeof durability>;

/** GET status. */
export const status = z.object({
  name: z.literal("stagedoor"),
  version: z.string(),
  pid: z.int(),
  urls: z.object({ admin: z.string(), auth: z.string(), console: z.string(), lan: z.array(z.string()) }),
  dataDir: z.string().nullable(),
  durability,
  uptimeSeconds: z.number(),
  seq: z.int(),
  counts: z.object({ apps: z.int(), profiles: z.int(), passcodes: z.int(), sessions: z.int(), connections: z.int() }),
});
/** @see status */
export type Status = z.input<typeof status>;
