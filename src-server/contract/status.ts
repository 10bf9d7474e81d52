/** Status of the running emulator. */
import { z } from "zod";
import { allCounts } from "./apps.ts";
import { lazyObject } from "./lazy-object.ts";
import { optional } from "./scalars.ts";

/** How safely a write is stored before the response (CONTRACT 8). */
export const durability = z.enum(["process", "disk", "memory"]);

/** Response of GET status. */
export const status = lazyObject(() => ({
  name: z.literal("stagedoor"),
  version: z.string(),
  pid: z.int(),
  urls: z
    .object({ admin: z.string(), auth: z.string(), console: z.string(), lan: z.array(z.string()) })
    .describe("The URLs for apps, backends and people: the public ones where they were given."),
  listening: z
    .object({ admin: z.string(), auth: z.string(), console: z.string() })
    .describe("The URLs on the machine or in the container that Stagedoor runs on."),
  dataDir: z.string().nullable(),
  durability,
  uptimeSeconds: z.number(),
  seq: z.int(),
  counts: allCounts,
  signingKey: optional(z.literal(true), "Only with --signing-key: the keys that sign tokens cannot be changed."),
  joinToken: optional(z.literal(true), "Only if a join token is set: others may create leased apps with it."),
}));
/** @see status */
export type Status = z.input<typeof status>;
