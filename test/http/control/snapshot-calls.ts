/** Helpers for the tests of named snapshots. */
import { expect } from "vitest";
import type { Harness } from "./support.ts";

const of = (appId: string | undefined): string => (appId === undefined ? "" : `?appId=${appId}`);

/** @returns the calls, each for one app or for all. */
export const snapshotCalls = ({ control, auth }: Pick<Harness, "control" | "auth">) => ({
  /** The whole state as text. */
  state: async (appId?: string) =>
    (await control("GET", `/state?volatile=1${appId === undefined ? "" : `&appId=${appId}`}`)).text,
  save: async (name: string, appId?: string) => await control("PUT", `/snapshots/${name}${of(appId)}`),
  restore: async (name: string, appId?: string) => await control("POST", `/snapshots/${name}/restore${of(appId)}`),
  remove: async (name: string, appId?: string) => await control("DELETE", `/snapshots/${name}${of(appId)}`),
  /** Logs in with a phone and a code. */
  login: async (appId: string, phone: string): Promise<void> => {
    await auth("POST", LOGIN, { appId, user: { phone } });
    const { code } = (await control("GET", `/passcodes/latest?appId=${appId}&to=${encodeURIComponent(phone)}`)).json;
    expect((await auth("PUT", LOGIN, { appId, user: { phone, name: "In" }, passcode: code })).status).toBe(200);
  },
});

/** The path of sign-up and login. */
export const LOGIN = "/v1/users/session";
