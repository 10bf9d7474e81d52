/** Helpers for the tests of `stagedoor/client`: a server in this process, and direct calls to it. */
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type Client, connect } from "#client/index.ts";
import type { RunningServer } from "#server/server.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

/** The first user of the demo app. */
export const ADA = "+12025550100";

/** A server and its client. */
export interface Served {
  readonly server: RunningServer;
  readonly client: Client;
  /** A call to `/v1/users/session`. */
  session(method: string, body: unknown): Promise<Response>;
  /** Requests a code. */
  askForCode(phone?: string, appId?: string): Promise<void>;
}

/** @returns a server for the tests of this file, reset before each. */
export const useServed = (): Served => {
  let served: { readonly server: RunningServer; readonly client: Client } | undefined;
  const there = () => {
    if (served === undefined) throw new Error("the server is not started yet");
    return served;
  };
  beforeAll(async () => {
    const server = await startInProcess();
    served = { server, client: connect(server.urls.console) };
  });
  afterAll(() => there().server.close());
  afterEach(() => there().client.state.reset());
  const session = (method: string, body: unknown): Promise<Response> =>
    fetch(`${there().server.urls.auth}/v1/users/session`, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    get server() {
      return there().server;
    },
    get client() {
      return there().client;
    },
    session,
    askForCode: async (phone = ADA, appId = "demo-app") => {
      expect((await session("POST", { appId, user: { phone } })).status).toBe(202);
    },
  };
};

/** @returns the error that a call throws. */
export const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail("it did not fail"),
    (error: unknown) => error,
  );
