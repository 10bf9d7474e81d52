/** Measures a Stagedoor in this process: time passes as the probes wait for it. */
import { type Conformity, type ConformParts, conform } from "#conform/conform.ts";
import { MARK } from "#conform/lab.ts";
import { type Send, Service } from "#conform/service.ts";
import type { Stage, TestApp } from "#test/http/decisions/support.ts";

/** Sends over HTTP, as the command does. */
export const overHttp: Send = async ({ method, url, headers, body }) => {
  const answer = await fetch(url, { method, headers, body, redirect: "manual" });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
};

let runs = 0;

/** What a test may change. */
export interface Measured extends Partial<Omit<ConformParts, "service">> {
  readonly send?: Send;
  readonly username?: string | null;
}

/** @returns a name for a run that no other has. */
const newRun = (): string => `test${++runs}`;

/** Measures a service. @param sleep real time is never waited for. */
export const measureAt = (
  urls: { readonly adminUrl: string; readonly authUrl: string; readonly appId: string; readonly secret: string },
  sleep: (ms: number) => Promise<void>,
  { send = overHttp, ...more }: Measured = {},
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
    isEnded: () => false,
    ...more,
  });
};

/** Measures an app of a stage. */
export const measure = (
  { server, clock }: Stage,
  { appId, secret, passcodes }: TestApp,
  more: Measured = {},
): Promise<Conformity> => {
  const { admin, auth } = server().urls;
  return measureAt({ adminUrl: admin, authUrl: auth, appId, secret }, async (ms) => clock.advance(ms / 1_000), {
    readCode: async () => (await passcodes())[0].code,
    ...more,
  });
};

/** @returns the profiles of an app that a run has left. */
export const leftIn = async ({ control }: Stage, { appId }: TestApp): Promise<number> =>
  (await control("GET", `/profiles?appId=${appId}&q=${MARK}`)).json.total;
