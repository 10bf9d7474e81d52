/** A shared instance with low bounds, for tests of what one job can take from others. */
import { afterAll, beforeAll } from "vitest";
import type { Maxima } from "#contract/bounds.ts";
import type { RunningServer } from "#server/server.ts";
import { type Call, caller } from "#test/hosts/client.ts";
import { type Settings, startInProcess } from "#test/hosts/in-process.ts";

/** A job: its app, and calls with the token bound to it. */
export interface Job {
  readonly appId: string;
  readonly call: Call;
}

/** @returns the owner's calls, and what makes jobs, on a server for this test file. */
export const sharedInstance = (bounds: Partial<Maxima>, more: Settings["config"] = {}) => {
  let server: RunningServer | undefined;
  let passed = 0;
  beforeAll(async () => {
    const config = { consoleHost: "127.0.0.1", accessToken: "whole-console", joinToken: "join-the-others", ...more };
    server = await startInProcess({ config, bounds, monotonic: () => performance.now() + passed });
  });
  afterAll(async () => await server?.close());
  const url = (): string => `${server?.urls.console}/emulator/v1`;
  const as = (token: string): Call => caller(url, { Authorization: `Bearer ${token}` });
  const join = as("join-the-others");
  const tokens = new Map<string, string>();
  return {
    server: (): RunningServer => {
      if (server === undefined) throw new Error("the server has not started");
      return server;
    },
    join,
    /** Moves the server's time on for leases, waits and limits. */
    pass: (ms: number): void => {
      passed += ms;
    },
    /** @returns the token that is bound to the app of a job. */
    tokenOf: ({ appId }: Pick<Job, "appId">): string => tokens.get(appId) ?? "",
    owner: as("whole-console"),
    /** The owner's calls in a window of the console. */
    inWindow: ((method, path, body, headers = {}) =>
      as("whole-console")(method, path, body, { Origin: server?.urls.console ?? "", ...headers })) satisfies Call,
    job: async (fields: object = {}): Promise<Job> => {
      const { json } = await join("POST", "/apps", {
        ttlSeconds: 3_600,
        settings: { validation: "lenient" },
        ...fields,
      });
      tokens.set(json.appId, json.accessToken);
      return { appId: json.appId, call: as(json.accessToken) };
    },
  };
};
