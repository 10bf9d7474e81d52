/** `stagedoor/client`: a running Stagedoor, for tests in Node and in browsers. No dependencies. */
import { type Client, createClient } from "./client.ts";
import { variable } from "./environment.ts";
import { jobOfEnvironment } from "./job.ts";
import { checkOptions, invalidOptions } from "./options.ts";
import { fixedPlace, shardPlace } from "./place.ts";
import { expandShards } from "./shards.ts";
import { createTransport } from "./transport.ts";

export type { Client, Created, Imported, OfApp, SettingsByPath } from "./client.ts";
export { type FieldErrors, StagedoorError } from "./error.ts";
export type { EventOptions, RequestSummary, StagedoorEvent } from "./events.ts";
export type { NextQuery, NoneQuery, Passcodes } from "./passcodes.ts";
export type { Shard } from "./place.ts";
export type * from "./records.ts";
export type { RequestMatch, Requests, WaitOptions } from "./requests.ts";
export type { SignedIn, SignInInput } from "./sign-in.ts";
export type { Stagedoor, StartOptions, StartStagedoor } from "./started.ts";
export type { Urls } from "./urls.ts";

/** Where the emulator is. */
export interface ConnectOptions {
  /** The console's URL, as start prints it. Absent: STAGEDOOR_CONSOLE_URL of the environment, else http://127.0.0.1:4012. */
  readonly consoleUrl?: string | undefined;
  /**
   * Consoles of several emulators that share nothing, in place of `consoleUrl`: a list, or `http://stagedoor-{0..9}.stagedoor:4012`.
   * The job always meets the same one. Absent, where `consoleUrl` and its variable are absent too: STAGEDOOR_SHARDS.
   */
  readonly shards?: string | readonly string[] | undefined;
  /** What to choose among `shards` by. Absent: STAGEDOOR_JOB, else the variables of the CI system. */
  readonly job?: string | undefined;
  /** How long the job's own shard is waited for, before its next choice is tried; milliseconds. Absent: 10,000. */
  readonly shardWaitMs?: number | undefined;
  /** Of a console that is open to other machines. Absent: `access_token` in the URL, else STAGEDOOR_ACCESS_TOKEN. */
  readonly accessToken?: string | undefined;
}

const urlOf = (text: string): URL => {
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`The console's URL must begin with http, not ${url.protocol}`);
  return url;
};
const plain = ({ origin, pathname }: URL): string => `${origin}${pathname}`.replace(/(?<!\/)\/+$/, "");

/**
 * Names an emulator. Nothing is asked of it yet: the first call finds out whether it is there.
 * @param where its console's URL, or options.
 * @throws TypeError if that is no URL. StagedoorError 422 for unknown options, and if nothing names the job of `shards`.
 */
export const connect = (where: string | ConnectOptions = {}): Client => {
  const options = typeof where === "string" ? { consoleUrl: where } : where;
  checkOptions("connect", options, ["consoleUrl", "shards", "job", "shardWaitMs", "accessToken"]);
  const { shards, job = jobOfEnvironment(), shardWaitMs = 10_000 } = options;
  if (shards !== undefined && options.consoleUrl !== undefined)
    throw invalidOptions("connect", { shards: ["can't be given together with consoleUrl"] });
  const text = shards === undefined ? (options.consoleUrl ?? variable("STAGEDOOR_CONSOLE_URL")) : undefined;
  const several = text === undefined ? (shards ?? variable("STAGEDOOR_SHARDS")) : undefined;
  const urls = (several === undefined ? [text ?? "http://127.0.0.1:4012"] : expandShards(several)).map(urlOf);
  const [url] = urls;
  if (url === undefined) throw invalidOptions("connect", { shards: ["can't be empty"] });
  const token = options.accessToken ?? url.searchParams.get("access_token") ?? variable("STAGEDOOR_ACCESS_TOKEN");
  if (several === undefined) return createClient(createTransport(fixedPlace(plain(url)), token));
  if (job === undefined || job === "")
    throw invalidOptions("connect", { job: ["can't be blank: no variable of a CI system names this job"] });
  return createClient(createTransport(shardPlace(job, urls.map(plain), shardWaitMs), token));
};
