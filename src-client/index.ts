/** `stagedoor/client`: a running Stagedoor, for tests in Node and in browsers. No dependencies. */
import { type Client, createClient } from "./client.ts";
import { variable } from "./environment.ts";
import { checkOptions } from "./options.ts";
import { createTransport } from "./transport.ts";

export type { Client, Created, Imported, OfApp, SettingsByPath } from "./client.ts";
export { type FieldErrors, StagedoorError } from "./error.ts";
export type { EventOptions, RequestSummary, StagedoorEvent } from "./events.ts";
export type { NextQuery, NoneQuery, Passcodes } from "./passcodes.ts";
export type * from "./records.ts";
export type { RequestMatch, Requests, WaitOptions } from "./requests.ts";
export type { SignedIn, SignInInput } from "./sign-in.ts";
export type { Stagedoor, StartOptions, StartStagedoor } from "./started.ts";

/** Where the emulator is. */
export interface ConnectOptions {
  /** The console's URL, as start prints it. Absent: STAGEDOOR_CONSOLE_URL of the environment, else http://127.0.0.1:4012. */
  readonly consoleUrl?: string | undefined;
  /** Of a console that is open to other machines. Absent: `access_token` in the URL, else STAGEDOOR_ACCESS_TOKEN. */
  readonly accessToken?: string | undefined;
}

/**
 * Names an emulator. Nothing is asked of it yet: the first call finds out whether it is there.
 * @param where its console's URL, or options.
 * @throws TypeError if that is no URL.
 */
export const connect = (where: string | ConnectOptions = {}): Client => {
  const options = typeof where === "string" ? { consoleUrl: where } : where;
  checkOptions("connect", options, ["consoleUrl", "accessToken"]);
  const text = options.consoleUrl ?? variable("STAGEDOOR_CONSOLE_URL") ?? "http://127.0.0.1:4012";
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`The console's URL must begin with http, not ${url.protocol}`);
  const token =
    options.accessToken ?? url.searchParams.get("access_token") ?? variable("STAGEDOOR_ACCESS_TOKEN") ?? undefined;
  return createClient(createTransport(`${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, ""), token));
};
