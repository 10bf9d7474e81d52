/** `stagedoor/client`: a client for a running Stagedoor, for tests in Node and in browsers. No dependencies. */
import { type Client, createClient } from "./client.ts";
import { spareLoopback, variable } from "./environment.ts";
import { jobOfEnvironment } from "./job.ts";
import { checkOptions, invalidOptions } from "./options.ts";
import { fixedPlace, type Place, projectPlace, shardPlace } from "./place.ts";
import { expandShards } from "./shards.ts";
import { createTokens } from "./tokens.ts";
import { createTransport } from "./transport.ts";

export type { SettingsByPath } from "./apps.ts";
export type { Client, Created, Imported, OfApp } from "./client.ts";
export { type FieldErrors, StagedoorError } from "./error.ts";
export type { EventOptions, RequestSummary, StagedoorEvent } from "./events.ts";
export type { SessionAuthentication, SessionOutcome, SessionStart } from "./login.ts";
export type { NextQuery, NoneQuery, Passcodes } from "./passcodes.ts";
export type { Shard } from "./place.ts";
export { recipientOf } from "./recipient.ts";
export type * from "./records.ts";
export type { RequestMatch, Requests, WaitOptions } from "./requests.ts";
export type { SignedIn, SignInInput } from "./sign-in.ts";
export type { Fixture, FixtureFile, Stagedoor, StartOptions, StartStagedoor } from "./started.ts";
export type { Moment, RewindableApp, RewindOptions } from "./timeline.ts";
export type { Urls } from "./urls.ts";

/** How to reach the emulator. */
export interface ConnectOptions {
  /** As printed at start. Absent: STAGEDOOR_CONSOLE_URL, or that of `stagedoor.config.json`, or http://127.0.0.1:4012. */
  readonly consoleUrl?: string | undefined;
  /**
   * Console URLs of independent emulators, instead of `consoleUrl`: a list, or `http://s-{0..9}.example:4012`. A job
   * always uses the same one. Absent, without a console URL: STAGEDOOR_SHARDS.
   */
  readonly shards?: string | readonly string[] | undefined;
  /** The key that selects a shard. Absent: STAGEDOOR_JOB, or else the variables of the CI system. */
  readonly job?: string | undefined;
  /** How long to wait for the job's preferred shard before trying the next one, in milliseconds. Absent: 10,000. */
  readonly shardWaitMs?: number | undefined;
  /** The access token of an open console. Absent: `access_token` in the URL, or STAGEDOOR_ACCESS_TOKEN. */
  readonly accessToken?: string | undefined;
}

const urlOf = (text: string): URL => {
  const url = new URL(text);
  if (/^https?:$/.test(url.protocol)) return url;
  throw new TypeError(`The console's URL must begin with http, not ${url.protocol}`);
};
const plain = ({ origin, pathname }: URL): string => `${origin}${pathname}`.replace(/(?<!\/)\/+$/, "");

/**
 * Creates a client without connecting: the first call finds out whether the emulator is running.
 * @param where the console URL, or options. @throws TypeError for an invalid URL; StagedoorError 422 for unknown
 * options, or if nothing identifies the job for `shards`.
 */
export const connect = (where: string | ConnectOptions = {}): Client => {
  const options = typeof where === "string" ? { consoleUrl: where } : where;
  spareLoopback();
  checkOptions("connect", options, ["consoleUrl", "shards", "job", "shardWaitMs", "accessToken"]);
  const { shards, job = jobOfEnvironment(), shardWaitMs = 10_000 } = options;
  if (shards !== undefined && options.consoleUrl !== undefined)
    throw invalidOptions("connect", { shards: ["can't be given together with consoleUrl"] });
  const text = shards === undefined ? (options.consoleUrl ?? variable("STAGEDOOR_CONSOLE_URL")) : undefined;
  const several = text === undefined ? (shards ?? variable("STAGEDOOR_SHARDS")) : undefined;
  const urls = (several === undefined ? [text].filter((one) => one !== undefined) : expandShards(several)).map(urlOf);
  const [url] = urls;
  const token = options.accessToken ?? url?.searchParams.get("access_token") ?? variable("STAGEDOOR_ACCESS_TOKEN");
  const clientAt = (place: Place): Client => createClient(createTransport(place, createTokens(token)));
  if (several === undefined) return clientAt(url === undefined ? projectPlace() : fixedPlace(plain(url)));
  if (url === undefined) throw invalidOptions("connect", { shards: ["can't be empty"] });
  if (job === undefined || job === "")
    throw invalidOptions("connect", { job: ["can't be blank: no variable of a CI system names this job"] });
  return clientAt(shardPlace(job, urls.map(plain), shardWaitMs));
};
