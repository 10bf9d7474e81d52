/** Status of the running emulator. */
import { z } from "zod";
import { optional } from "../scalars.ts";
import { allCounts } from "../service/apps.ts";
import { sharedStatus } from "./shares.ts";

/** How safely a write is stored before the response. */
export const durability = z.enum(["process", "disk", "memory"]);

/** A part of Stagedoor that listens to requests or changes, and has failed. */
const listenerFailure = z.object({
  who: z.string().describe("What it is for."),
  text: z.string().describe("The message of the error."),
  count: z.int().describe("How often."),
});
export type ListenerFailure = Readonly<z.output<typeof listenerFailure>>;

/** Response of GET status. */
export const status = z.object({
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
  unwritable: optional(z.string(), "Only while nothing can be written: why, such as a data folder that was moved."),
  durability,
  uptimeSeconds: z.number(),
  seq: z.int(),
  counts: allCounts,
  signingKey: optional(z.literal(true), "Only with --signing-key: the keys that sign tokens cannot be changed."),
  joinToken: optional(z.literal(true), "Only if a join token is set: others may create leased apps with it."),
  failures: optional(
    z.array(listenerFailure),
    "Only if there are any: parts of Stagedoor that failed while they listened. Requests go on without them.",
  ),
  shared: optional(sharedStatus, "Only if a join token is set: what the apps of the join token keep together."),
});
export type Status = z.input<typeof status>;
