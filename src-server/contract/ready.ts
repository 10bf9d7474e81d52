/**
 * The one JSON line that a start prints with `--json` (CONTRACT 7): where the server is, or why there is none. The desktop
 * shell and the tools read it, never the text for people.
 */
import { z } from "zod";

const readyLine = z.object({
  event: z.literal("ready"),
  pid: z.int(),
  adminUrl: z.url(),
  authUrl: z.url(),
  consoleUrl: z.url(),
  /** Only with TLS. */
  authTlsUrl: z.url().exactOptional(),
  /** Null with durability `memory`. */
  dataDir: z.string().nullable(),
  /** Only of a console that is open to other machines. */
  accessToken: z.string().exactOptional(),
});
/** Where a started server is. */
export type Ready = z.infer<typeof readyLine>;

/** Every reason for which a start fails. */
const START_FAILURES = [
  "invalid_options",
  "invalid_fixtures",
  "port_in_use",
  "port_denied",
  "address_unavailable",
  "data_in_use",
  "data_damaged",
  "data_unusable",
] as const;

const failedLine = z.object({
  event: z.literal("failed"),
  code: z.enum(START_FAILURES),
  /** For people: what is wrong, with what value, and what to do. */
  message: z.string(),
  /** The file that is concerned, and the byte in it. */
  file: z.string().exactOptional(),
  offset: z.int().exactOptional(),
  /** The port that cannot be used. */
  port: z.int().exactOptional(),
  /** The process that uses the data; `consoleUrl` is null while it starts. */
  holder: z.object({ pid: z.int(), consoleUrl: z.string().nullable() }).exactOptional(),
});
/** Why a start failed. */
export type Failed = z.infer<typeof failedLine>;

const startLine = z.discriminatedUnion("event", [readyLine, failedLine]);

const parse = (line: string): Ready | Failed | undefined => {
  try {
    return startLine.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
};

/** @param out what the server has printed so far. @returns the line; undefined if it has not come yet. */
export const findStartLine = (out: string): Ready | Failed | undefined => out.split("\n").map(parse).find(Boolean);
