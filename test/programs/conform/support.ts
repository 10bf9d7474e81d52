/** Measures a Stagedoor in this process; time advances whenever the probes wait. */
import { type Conformity, type ConformParts, conform } from "#programs/conform/measure/conform.ts";
import { MARK } from "#programs/conform/measure/lab.ts";
import { type Send, Service } from "#programs/conform/measure/service.ts";
import type { Harness, TestApp } from "#test/http/decisions/support.ts";

/** Sends over HTTP, like the command. */
export const overHttp = async ({ method, url, headers, body }: Parameters<Send>[0]) => {
  const answer = await fetch(url, { method, headers, body, redirect: "manual" });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
};

let runs = 0;

/** What a test can override. */
export interface Measured extends Partial<Omit<ConformParts, "service">> {
  readonly send?: Send;
  readonly isEnded?: () => boolean;
  readonly username?: string | null;
}

/** @returns a unique name for a run. */
const newRun = (): string => `test${++runs}`;

/** Measures a service. @param sleep replaces waiting in real time. */
export const measureAt = (
  urls: { readonly adminUrl: string; readonly authUrl: string; readonly appId: string; readonly secret: string },
  sleep: (ms: number) => Promise<void>,
  { send = overHttp, isEnded = () => false, ...more }: Measured = {},
): Promise<Conformity> => {
  let elapsed = 0;
  const service = new Service({
    ...urls,
    rate: 1e9,
    send,
    sleep: async (ms) => {
      elapsed += ms;
      await sleep(ms);
    },
    monotonic: () => elapsed,
    isEnded,
  });
  let chance = 0.5;
  return conform({
    service,
    run: newRun(),
    keep: async () => undefined,
    leftovers: null,
    random: () => {
      chance = (chance * 7.31 + 0.137) % 1;
      return chance;
    },
    username: null,
    readCode: null,
    tell: () => undefined,
    begin: () => undefined,
    ...more,
  });
};

/** Measures an app of a harness. */
export const measure = (
  { server, clock }: Harness,
  { appId, secret, passcodes }: TestApp,
  more: Measured = {},
): Promise<Conformity> => {
  const { admin, auth } = server().urls;
  return measureAt({ adminUrl: admin, authUrl: auth, appId, secret }, async (ms) => clock.advance(ms / 1_000), {
    readCode: async () => (await passcodes())[0].code,
    ...more,
  });
};

/** @returns the profiles that a run left in an app. */
export const leftIn = async ({ control }: Harness, { appId }: TestApp): Promise<number> =>
  (await control("GET", `/profiles?appId=${appId}&q=${MARK}`)).json.total;
