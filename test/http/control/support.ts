/** Helpers for the tests of the control API: one server per file, and one app per test. */
import { afterAll, beforeAll } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { type Call, type Clients, clientsOf } from "#test/hosts/client.ts";
import { type Settings, startInProcess } from "#test/hosts/in-process.ts";

/** The app of one test. */
export interface TestApp {
  readonly appId: string;
  readonly secret: string;
  /** Admin with the app's secret. */
  readonly admin: Call;
  /** A new profile. @returns it as the control API returns it. */
  // biome-ignore lint/suspicious/noExplicitAny: as a client reads it, field by field
  profile(fields?: object): Promise<any>;
  /** POST /v1/users/session with a phone: the status. */
  ask(phone: string): Promise<number>;
}

/** The server of one test file and its clients. */
export interface Harness extends Clients {
  readonly server: RunningServer;
  /** Creates an app, by default with the phone as username. */
  app(fields?: object): Promise<TestApp>;
}

/** A phone number that no other call returns. */
export const freshPhone = (() => {
  let last = 0;
  return (): string => `+1303555${String(++last).padStart(4, "0")}`;
})();

/** @returns a server for this test file, started before its first test and closed after its last. */
export const harness = (settings: Settings = {}): Harness => {
  let server: RunningServer | undefined;
  const running = (): RunningServer => {
    if (server === undefined) throw new Error("the server is not started yet");
    return server;
  };
  beforeAll(async () => {
    server = await startInProcess(settings);
  });
  afterAll(async () => await server?.close());
  const clients = clientsOf(running);
  return {
    ...clients,
    get server() {
      return running();
    },
    app: async (fields = {}) => {
      const made = await clients.control("POST", "/apps", fields);
      if (made.status !== 201) throw new Error(`no app was made: ${made.status} ${made.text}`);
      const { appId, secret } = made.json;
      return {
        appId,
        secret,
        admin: clients.as(secret),
        profile: async (profile = {}) => {
          const reply = await clients.control("POST", "/profiles", { appId, phone: freshPhone(), ...profile });
          if (reply.status !== 201) throw new Error(`no profile was made: ${reply.status} ${reply.text}`);
          return reply.json;
        },
        ask: async (phone) => (await clients.auth("POST", "/v1/users/session", { appId, user: { phone } })).status,
      };
    },
  };
};

/** A time that tests move manually. */
export const handClock = (startIso = "2026-06-01T12:00:00.000Z") => {
  let ms = Date.parse(startIso);
  return {
    now: () => ms,
    tick: (by: number): void => {
      ms += by;
    },
  };
};

/** Repeats the request until the response fits. @throws Error after the deadline, with the last response. */
export const until = async <T>(ask: () => T | Promise<T>, fits: (answer: T) => boolean, ms = 30_000): Promise<T> => {
  const deadline = performance.now() + ms;
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`it never came: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** A UUID without a record. */
export const NOBODY = "00000000-0000-4000-8000-00000000dead";
export const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
