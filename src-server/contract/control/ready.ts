/** The one JSON line that `start --json` prints, for the desktop shell and tools. */
import { z } from "zod";
import { parsedJson } from "../words/parsed-json.ts";

const readyLine = z.object({
  event: z.literal("ready"),
  pid: z.int(),
  adminUrl: z.url(),
  authUrl: z.url(),
  consoleUrl: z.url(),
  /** Those for others, if they were given: `--public-auth-url`. */
  publicUrls: z
    .object({ admin: z.url().exactOptional(), auth: z.url().exactOptional(), console: z.url().exactOptional() })
    .exactOptional(),
  /** Only while TLS is on. */
  authTlsUrl: z.url().exactOptional(),
  /** Null with durability `memory`. */
  dataDir: z.string().nullable(),
  /** Only when the console is open to other machines. */
  accessToken: z.string().exactOptional(),
});
/** Details of a running server. */
export type Ready = z.infer<typeof readyLine>;

const failedLine = z.object({
  event: z.literal("failed"),
  code: z.enum([
    "invalid_options",
    "invalid_fixtures",
    "port_in_use",
    "port_denied",
    "address_unavailable",
    "data_in_use",
    "data_damaged",
    "data_unusable",
    "ca_unusable",
  ]),
  /** Human-readable: what is wrong, with what value, and what to do. */
  message: z.string(),
  /** The affected file, and the byte offset in it. */
  file: z.string().exactOptional(),
  offset: z.int().exactOptional(),
  /** The unavailable port. */
  port: z.int().exactOptional(),
  /** The process that has the data locked; `consoleUrl` is null while it starts. */
  holder: z.object({ pid: z.int(), consoleUrl: z.string().nullable() }).exactOptional(),
});
/** Why a start failed. */
export type Failed = z.infer<typeof failedLine>;

const startLine = z.discriminatedUnion("event", [readyLine, failedLine]);

const startLineIn = (line: string): Ready | Failed | undefined => startLine.safeParse(parsedJson(line)).data;

/** @param out the server's output so far. @returns the parsed line; undefined if it has not been printed yet. */
export const findStartLine = (out: string): Ready | Failed | undefined =>
  out.split("\n").map(startLineIn).find(Boolean);

/** @param token of a console that asks for one. @returns the page to open, whose token the server exchanges for a cookie. */
export const pageUrl = (consoleUrl: string, token: string | null | undefined): string =>
  token == null ? consoleUrl : `${consoleUrl}/?access_token=${token}`;
