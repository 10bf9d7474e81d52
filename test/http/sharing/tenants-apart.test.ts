/**
 * Random requests of three jobs, each with the token of its app, and of the owner, on every operation. Each
 * gets the answers that a fresh server gives to its own requests alone.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Operation, routes } from "#contract/control/routes.ts";
import { type Call, caller, type Reply } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

const JOBS = ["job-a", "job-b", "job-c"];
const OWNER = "owner";
const APPS = [...JOBS, OWNER];
const PHONES = ["+12025550171", "+12025550172", "+12025550173"];
const NOW = Date.UTC(2026, 0, 1);
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

/** The event stream never ends; `events.test.ts` and `bound-tokens.test.ts` have it. */
const OPERATIONS = Object.entries<Operation>(routes).filter(([id]) => id !== "streamEvents");
/** What the owner may do without doing it to everybody: read, and what names an app. */
const ofOwner = ({ method, bound, listener }: Operation): boolean =>
  listener !== "console" || method === "GET" || (bound !== undefined && bound !== "new");

/** What one of them knows: from its own answers alone. */
interface Knowledge {
  readonly appId: string;
  readonly secret: string;
  readonly console: Call;
  readonly ids: string[];
  seq: number;
  code: string;
  token: string;
}

/** Bodies that an operation accepts, mostly; others get an empty one. */
const BODIES: Readonly<Record<string, (know: Knowledge, id: string, phone: string) => unknown>> = {
  createProfile: (_, __, phone) => ({ phone, metadata: { a_b: 1 } }),
  updateProfile: () => ({ name: "Changed" }),
  startSession: ({ appId }, _, phone) => ({ appId, user: { phone } }),
  authenticate: ({ appId, code }, _, phone) => ({ appId, user: { phone }, passcode: code }),
  updateApp: () => ({ name: "Renamed", settings: { passcode: { ttlSeconds: 60 } } }),
  addProfile: (_, __, phone) => ({ phone }),
  provideProfile: (_, __, phone) => ({ phone, name: "Provided" }),
  changeProfile: () => ({ name: "Changed" }),
  removeProfiles: (_, id) => ({ userIds: [id] }),
  sendPasscode: (_, __, phone) => ({ to: phone }),
  addSession: (_, userId) => ({ userId }),
  addConnection: (_, userId) => ({ userId, name: "Bank" }),
  introspect: ({ token }) => ({ token }),
  addFault: () => ({ effect: { status: 503 }, times: 1 }),
  // Its requests are not delayed; the seed is given, or chance would choose.
  setWeather: () => ({ name: "rush-hour", seed: "one" }),
  provokeOutcome: () => ({ outcome: "wrong_code" }),
  rewind: ({ seq }) => ({ to: seq }),
  setClock: () => ({ offsetSeconds: 60 }),
  advanceClock: () => ({ seconds: 5 }),
  writeState: ({ appId }, _, phone) => ({
    mode: "merge",
    state: { version: 1, apps: [{ appId, profiles: [{ phone, name: "Imported" }] }] },
  }),
};

interface Step {
  readonly who: number;
  readonly operation: number;
  readonly body: "none" | "empty" | "usual";
  readonly pick: number;
}

/** @returns a server on which all have an app, and what each of them knows. */
const newServer = async () => {
  const server = await startInProcess({
    config: { consoleHost: "127.0.0.1", accessToken: "whole-console", joinToken: "join-the-others" },
    now: () => NOW,
    monotonic: () => 0,
    stop: () => undefined,
  });
  const as = (token: string): Call =>
    caller(() => `${server.urls.console}/emulator/v1`, { Authorization: `Bearer ${token}` });
  const all: Knowledge[] = [];
  for (const appId of APPS) {
    const isJob = appId !== OWNER;
    const body = { appId, name: appId, ...(isJob && { ttlSeconds: 3_600 }) };
    const { json } = await as(isJob ? "join-the-others" : "whole-console")("POST", "/apps", body);
    const console = as(isJob ? json.accessToken : "whole-console");
    all.push({ appId, secret: json.secret, console, ids: [], seq: 0, code: "000000", token: "" });
  }
  return { server, all };
};

const fill = (path: string, { appId, ids }: Knowledge, pick: number): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) =>
    name === "appId" ? appId : name === "name" ? `snap-${pick % 2}` : (ids[pick % (ids.length + 1)] ?? UNKNOWN_ID),
  );

type Running = Awaited<ReturnType<typeof newServer>>;

const send = async ({ server, all }: Running, { who, operation: at, body: kind, pick }: Step): Promise<Reply> => {
  const know = all[who % all.length];
  const possible = know?.appId === OWNER ? OPERATIONS.filter(([, operation]) => ofOwner(operation)) : OPERATIONS;
  const [id, operation] = possible[at % possible.length] ?? [];
  if (know === undefined || id === undefined || operation === undefined) throw new Error("a step names nothing");
  const { listener, method, auth } = operation;
  const isOwners = know.appId === OWNER && listener === "console";
  const path = fill(operation.path, know, pick);
  const phone = PHONES[pick % PHONES.length] ?? "";
  const usual = BODIES[id]?.(know, know.ids.at(-1 - (pick % 2)) ?? UNKNOWN_ID, phone) ?? {};
  // The owner names its app wherever it can, or it would mean everybody's.
  const named = {
    ...usual,
    ...(operation.bound === "body" && { appId: know.appId }),
    ...(operation.bound === "match" && { match: { appId: know.appId } }),
  };
  const body =
    operation.body === undefined || kind === "none" ? undefined : kind === "empty" ? {} : isOwners ? named : usual;
  if (listener === "console") {
    const query = isOwners && operation.query !== undefined ? `?appId=${know.appId}` : "";
    return await know.console(method, path.replace("/emulator/v1", "") + query, body);
  }
  const bearer = auth === "session" ? know.token : know.secret;
  const call = caller(() => server.urls[listener], auth === undefined ? {} : { Authorization: `Bearer ${bearer}` });
  return await call(method, path, body);
};

/** Notes what a later request can use. */
const learn = (know: Knowledge, { json }: Reply): void => {
  const items: readonly unknown[] = [json, ...(Array.isArray(json?.items) ? json.items : [])];
  for (const item of items) {
    if (typeof item !== "object" || item === null) continue;
    const found: Readonly<Record<string, unknown>> = { ...item };
    for (const key of ["userId", "id"]) {
      const id = found[key];
      if (typeof id === "string" && !know.ids.includes(id) && know.ids.length < 12) know.ids.push(id);
    }
    if (typeof found["code"] === "string") know.code = found["code"];
    if (typeof found["token"] === "string") know.token = found["token"];
  }
  if (typeof json?.seq === "number" && json.changed === undefined) know.seq = json.seq;
};

/**
 * What differs between two servers for other reasons: `seq` is the number of a change of the whole store, so others move
 * it on; ids, codes, secrets, keys and tokens are random; ports are free ones.
 */
const normalised = (text: string, met: Map<string, string>): string =>
  text
    .replaceAll(/"(seq|oldestSeq|from|to|before|after|undo)":\d+/g, '"$1":"<seq>"')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, "<token>")
    .replaceAll(/\b(?:127\.0\.0\.1|localhost):\d+/g, "<address>")
    .replaceAll(/nonce="[^"]+"/g, "nonce")
    .replaceAll(/\bsk_local_\w+/g, "<secret>")
    .replaceAll(/(\\?"(?:kid|secret|accessToken|x|y|n)\\?":\\?")[^"\\]+/g, "$1<random>")
    .replaceAll(/Bearer sk_local_\w+/g, "Bearer <secret>")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      const known = met.get(id) ?? `<id ${met.size}>`;
      met.set(id, known);
      return known;
    })
    .replaceAll(/\b\d{6}\b/g, "<code>");

/** @returns the answers to the steps of one of them, in order. */
const play = async (steps: readonly Step[]): Promise<readonly (readonly string[])[]> => {
  const running = await newServer();
  const met = APPS.map(() => new Map<string, string>());
  const answers = APPS.map((): string[] => []);
  try {
    for (const step of steps) {
      const reply = await send(running, step);
      const know = running.all[step.who];
      if (know === undefined) continue;
      learn(know, reply);
      const text = normalised(reply.text, met[step.who] ?? new Map());
      // The owner's lists and advice rightly have everybody's records.
      const isShown = know.appId !== OWNER || reply.status === 422;
      answers[step.who]?.push(`${reply.status} ${reply.reason ?? ""} ${isShown ? text : ""}`);
    }
    // What the owner does to all, in the end: nobody's request may stand in its way.
    const owner = running.all.at(-1)?.console;
    for (const [method, path] of [
      ["DELETE", "/faults"],
      ["DELETE", "/requests"],
      ["DELETE", "/state"],
      ["POST", "/stop"],
    ] as const)
      answers.at(-1)?.push(`${path} ${(await owner?.(method, path))?.status}`);
  } finally {
    await running.server.close();
  }
  return answers;
};

test("each job and the owner get the answers of a server of their own", { timeout: 240_000 }, async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    who: fc.nat(APPS.length - 1),
    operation: fc.nat(10_000),
    body: fc.constantFrom("none", "empty", "usual", "usual"),
    pick: fc.nat(11),
  });
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 120, size: "max" }), async (steps) => {
      const together = await play(steps);
      for (const [who, answers] of together.entries()) {
        const alone = await play(steps.filter((one) => one.who === who));
        expect(answers).toEqual(alone[who]);
        for (const answer of answers) kinds.add(answer.slice(0, 3));
      }
    }),
    { numRuns: 5, seed: 20_261_126, endOnFailure: true },
  );
  // Not only refusals.
  for (const status of ["200", "201", "204", "403", "404", "422"]) expect(kinds).toContain(status);
});
