/** What an app keeps in memory, and how it is said. Each kind is counted in bytes: `Shares` of the domain. */
import { z } from "zod";

/** Each kind: what it is in words, and what frees it. */
export const KEPT = {
  settings: { what: "settings", frees: "Shorten its settings and its own weather" },
  profiles: { what: "profiles", frees: "Delete users of this app" },
  passcodes: { what: "passcodes", frees: "Delete its passcodes" },
  sessions: { what: "sessions", frees: "Delete users with many sessions" },
  connections: { what: "connections", frees: "Delete connections" },
  timeline: { what: "its timeline", frees: "It is shortened by itself" },
  snapshots: { what: "snapshots", frees: "Delete snapshots of this app" },
  log: { what: "rows of the request log", frees: "Clear its requests" },
  limits: { what: "counts of its rate limits", frees: "They end within a minute" },
  faults: { what: "faults and weather", frees: "Delete its faults" },
  coverage: { what: "login coverage", frees: "Delete the app" },
  streams: { what: "event streams", frees: "Close streams" },
  waits: { what: "waiting requests", frees: "Let them end" },
} as const;

export type Kept = keyof typeof KEPT;

/** All kinds. */
export const KEPT_KINDS = Object.keys(KEPT) as readonly Kept[];

/** What all apps of the join token together keep, for GET status. */
export const sharedStatus = z.object({
  apps: z.int().describe("How many apps of the join token there are."),
  mostApps: z.int().describe("How many there may be at a time (`--shared-apps`)."),
  bytes: z.int().describe("What they keep together, estimated in bytes."),
  mostBytes: z
    .int()
    .describe("What they may keep together before an app over its fair share gets 429 (`--shared-memory`)."),
  largest: z
    .object({ appId: z.string(), bytes: z.int(), mostly: z.string().describe("What most of it is.") })
    .nullable()
    .describe("The app that keeps the most."),
  holders: z
    .array(z.object({ address: z.string().nullable(), apps: z.int() }))
    .describe("How many apps each address has created, the most first; `null`: before the last start."),
});
export type SharedStatus = Omit<z.output<typeof sharedStatus>, "holders">;
