/** Helpers for the tests of the decisions: a server with a controlled clock, separate apps, raw requests. */
import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { type Call, type Clients, clientsOf, type Reply } from "#test/hosts/client.ts";
import { type Settings, startInProcess } from "#test/hosts/in-process.ts";

/** The path of the session interface. */
export const SESSION = "/v1/users/session";
/** A UUID without a profile. */
export const NOBODY = "00000000-0000-4000-8000-000000000000";
/** Usernames for separate apps; the numbers are fictional. */
export const PHONE = "+12025550142";
export const OTHER_PHONE = "+12025550143";

/** Real time as the server sees it; only tests move it. */
class HeldClock {
  ms = Date.parse("2026-11-20T12:00:00.000Z");

  /** @param seconds to advance; can be a fraction. */
  advance(seconds: number): void {
    this.ms += seconds * 1000;
  }

  /** UNIX time in whole seconds. */
  get seconds(): number {
    return Math.floor(this.ms / 1000);
  }
}

/** Fields of a user, as a client sends them. */
export type User = Readonly<Record<string, unknown>>;

/** The app of one test. */
export interface TestApp {
  readonly appId: string;
  readonly secret: string;
  /** The admin interface with this app's secret. */
  readonly admin: Call;
  /** POST of the session interface in the default shape; `more` goes next to `user`. */
  start(user: unknown, more?: User): Promise<Reply>;
  /** PUT of the session interface in the default shape. */
  authenticate(user: unknown, passcode?: unknown, more?: User): Promise<Reply>;
  /** Sends a passcode to an existing user. @returns its code. */
  sentCode(user: User): Promise<string>;
  /** Updates the app through the control API. */
  patch(change: User): Promise<Reply>;
  /** Its passcodes in the control API, newest first. */
  // biome-ignore lint/suspicious/noExplicitAny: read field by field, as a client would
  passcodes(): Promise<any[]>;
  /** The request log row of a response. */
  // biome-ignore lint/suspicious/noExplicitAny: read field by field, as a client would
  logged(reply: Reply): Promise<any>;
}

/** A server and its clients. */
export interface Harness extends Clients {
  readonly clock: HeldClock;
  server(): RunningServer;
  /** Creates an app with these settings; by phone unless told otherwise. */
  app(input?: User): Promise<TestApp>;
}

let apps = 0;

/** Starts a server before the tests of a file and stops it after them. */
export const harness = (settings: Settings = {}): Harness => {
  const clock = new HeldClock();
  let running: RunningServer;
  beforeAll(async () => {
    running = await startInProcess({ now: () => clock.ms, ...settings });
  });
  afterAll(() => running.close());
  const clients = clientsOf(() => running);
  const { auth, control } = clients;

  const app = async (input: User = {}): Promise<TestApp> => {
    apps += 1;
    const made = await control("POST", "/apps", { appId: `app-${apps}`, ...input });
    expect(made.status, made.text).toBe(201);
    const { appId, secret } = made.json;
    const start: TestApp["start"] = (user, more = {}) => auth("POST", SESSION, { appId, user, ...more });
    const passcodes: TestApp["passcodes"] = async () => (await control("GET", `/passcodes?appId=${appId}`)).json.items;
    return {
      appId,
      secret,
      admin: clients.as(secret),
      start,
      authenticate: (user, passcode, more = {}) => auth("PUT", SESSION, { appId, user, passcode, ...more }),
      sentCode: async (user) => {
        const sent = await start(user);
        expect(sent.status, sent.text).toBe(202);
        return (await passcodes())[0].code;
      },
      patch: (change) => control("PATCH", `/apps/${appId}`, change),
      passcodes,
      logged: async (reply) => (await control("GET", `/requests/${reply.headers.get("Emulator-Request-Id")}`)).json,
    };
  };
  return { ...clients, clock, server: () => running, app };
};

/** Another code of the same length. */
export const wrong = (code: string, n = 1): string =>
  String((Number(code) + n) % 10 ** code.length).padStart(code.length, "0");

/** The response to a raw request. */
export interface RawReply {
  readonly status: number;
  /** The phrase of the status line. */
  readonly phrase: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Parts of a raw request. */
export interface RawRequest {
  readonly method?: string;
  /** Alternating names and values, sent as they are, repeated if repeated. */
  readonly headers?: readonly string[];
  /** More than one piece is sent chunked. */
  readonly body?: string | Buffer | readonly (string | Buffer)[];
}

/** Sends what `fetch` would not: repeated headers, invalid UTF-8, chunks. */
export const raw = (url: string, { method = "POST", headers = [], body }: RawRequest = {}): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const pieces = body === undefined ? [] : typeof body === "string" || Buffer.isBuffer(body) ? [body] : body;
    const whole = pieces.length === 1 && pieces[0] !== undefined ? Buffer.byteLength(pieces[0]) : undefined;
    const named = headers.some((name, i) => i % 2 === 0 && /^(content-length|transfer-encoding)$/i.test(name));
    const framing = named || pieces.length === 0 ? [] : whole === undefined ? CHUNKED : ["Content-Length", `${whole}`];
    const req = request(url, { method, headers: ["Host", new URL(url).host, ...headers, ...framing], agent: false });
    req.once("error", reject);
    req.once("response", (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.once("error", reject);
      res.once("end", () =>
        resolve({
          status: res.statusCode ?? 0,
          phrase: res.statusMessage ?? "",
          headers: res.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    for (const piece of pieces) req.write(piece);
    req.end();
  });
const CHUNKED = ["Transfer-Encoding", "chunked"];

/** Writes to a bare socket. @returns all output until the server closes or `until` appears. */
export const speak = (url: string, text: string, until: RegExp = /\r\n\r\n/): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let came = "";
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text));
    socket.on("data", (chunk: Buffer) => {
      came += chunk.toString();
      if (until.test(came)) socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(came));
  });

/** Expects an error as in JSON with two strings, and its reason. */
export const expectRefusal = (reply: Reply, status: number, reason?: string): void => {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.headers.get("Content-Type")).toMatch(/^application\/json\b/);
  expect(Object.keys(reply.json)).toEqual(["message", "instruction"]);
  expect(reply.json.message).toMatch(/^[A-Z]/);
  expect(reply.json.instruction).not.toBe("");
  expect(reply.reason).toMatch(/^[a-z]+(_[a-z]+)*$/);
  if (reason !== undefined) expect(reply.reason).toBe(reason);
};

/** Expects a 422 on exactly these fields, each with a list of messages. */
export const expectInvalid = (reply: Reply, ...fields: readonly string[]): void => {
  expect(reply.status, reply.text).toBe(422);
  expect(Object.keys(reply.json).sort()).toEqual([...fields].sort());
  for (const list of Object.values(reply.json)) expect(list).toEqual([expect.stringMatching(/\S/)]);
  expect(reply.reason).toMatch(/^[a-z]+(_[a-z]+)*$/);
};
