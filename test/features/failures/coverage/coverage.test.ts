/** Which outcomes of a login an app has met, counted as they happen. */
import { expect, test } from "vitest";
import { OUTCOME_IDS, type OutcomeId } from "#features/failures/coverage/contract/outcomes.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { freshPhone, until } from "#test/http/control/support.ts";
import { openEvents } from "#test/http/events/event-stream.ts";
import { coverageHarness, type Visitor } from "./support.ts";

const { running, visitor, met } = coverageHarness();
const { control, auth } = running;
const LOGIN = "/v1/users/session";

type Story = (user: Visitor) => Promise<unknown>;
/** An outcome: what meets it, everything that this counts, what comes near without counting, and settings. */
type Row = readonly [OutcomeId, Story, Partial<Record<OutcomeId, number>>, Story, object?];

const reason =
  (name: string): Story =>
  async ({ set, put }) => {
    await set({ reason: name });
    await put("1");
  };
/** A refusal with the same status, but for no reason of a code. */
const sameStatus: Story = async ({ set, put }) => {
  await set({ status: 401 });
  expect((await put("1")).status).toBe(401);
};

const ROWS: readonly Row[] = [
  [
    "signedUp",
    async ({ post }) => await post(),
    { signedUp: 1 },
    async ({ known, admin }) => [await known(), await admin("POST", "/v1/profiles", { phone: freshPhone() })],
  ],
  [
    "signUpRefused",
    async ({ post }) => await post(),
    { signUpRefused: 1 },
    async ({ appId, phone, known, post, put }) => {
      await known();
      await post();
      // What is wrong with the form of a field is no outcome of a login.
      const email = "ada@example.com";
      expect((await auth("POST", LOGIN, { appId, user: { phone: "911" } })).status).toBe(422);
      expect((await auth("POST", LOGIN, { appId, user: { phone, email: "nope" } })).status).toBe(422);
      expect((await auth("POST", LOGIN, { appId, user: { email } })).status).toBe(422);
      expect((await auth("POST", LOGIN, { appId })).status).toBe(422);
      expect((await put("1", { phone: "911" })).status).toBe(422);
    },
    { signUp: "closed" },
  ],
  [
    "signedUpAgain",
    async ({ post, admin, userId }) => {
      await post();
      expect((await admin("DELETE", `/v1/profiles/${await userId()}`)).status).toBe(204);
      await post();
    },
    { signedUp: 2, signedUpAgain: 1 },
    async ({ appId, post, profile }) => {
      const other = await profile();
      await control("DELETE", `/profiles/${other.userId}?appId=${appId}`);
      await post();
    },
  ],
  [
    "codeSent",
    async ({ known, post }) => [await known(), await post()],
    { codeSent: 1 },
    async ({ appId, known }) => {
      const { userId } = await known();
      expect((await control("POST", "/passcodes", { appId, userId })).status).toBe(201);
    },
  ],
  [
    "codeResent",
    async ({ known, post }) => [await known(), await post(), await post()],
    { codeSent: 2, codeResent: 1 },
    async ({ known, signIn, post, code }) => {
      await known();
      await signIn();
      await post();
      const { id } = (await control("GET", `/passcodes?limit=1`)).json.items[0];
      await control("POST", `/passcodes/${id}/expire`);
      await post();
      expect(await code()).toMatch(/^\d{6}$/);
    },
  ],
  [
    "codeNeverCame",
    async ({ known, set, post }) => [await known(), await set({ undelivered: true }), await post()],
    { codeNeverCame: 1 },
    async ({ set, post }) => [await set({ undelivered: true }), await post()],
  ],
  [
    "rateLimited",
    async ({ known, post }) => [await known(), await post(), await post()],
    { codeSent: 1, rateLimited: 1 },
    async ({ known, set, post }) => [await known(), await set({ status: 429 }), await post()],
    { limits: { otpPerMinute: 1 } },
  ],
  [
    "signedIn",
    async ({ known, signIn }) => [await known(), await signIn()],
    { codeSent: 1, signedIn: 1 },
    async ({ appId, known }) => {
      const { userId } = await known();
      expect((await control("POST", "/sessions", { appId, userId })).status).toBe(201);
    },
  ],
  [
    "signedInWithDetails",
    async ({ known, signIn }) => [await known(), await signIn({ name: "Ada" })],
    { codeSent: 1, signedIn: 1, signedInWithDetails: 1 },
    async ({ known, signIn }) => [await known(), await signIn({ name: null })],
  ],
  [
    "wrongCode",
    async ({ known, post, wrong }) => [await known(), await post(), await wrong()],
    { codeSent: 1, wrongCode: 1 },
    async (user) => {
      await user.known();
      const { admin } = user;
      expect((await admin("GET", "/v1/profiles", undefined, { Authorization: "Bearer wrong" })).status).toBe(401);
      await sameStatus(user);
      expect((await user.put(undefined)).status).toBe(422);
    },
  ],
  [
    "rightAfterWrong",
    async ({ known, post, wrong, put, code }) => [await known(), await post(), await wrong(), await put(await code())],
    { codeSent: 1, wrongCode: 1, signedIn: 1, rightAfterWrong: 1 },
    async ({ known, post, wrong, signIn }) => [await known(), await post(), await wrong(), await signIn()],
  ],
  [
    "locked",
    async ({ known, post, wrong, put, code }) => [await known(), await post(), await wrong(), await put(await code())],
    { codeSent: 1, wrongCode: 1, locked: 1 },
    async ({ known, post, wrong }) => [await known(), await post(), await wrong()],
    { passcode: { maxAttempts: 1 } },
  ],
  [
    "expiredCode",
    async ({ appId, known, post, put, code }) => {
      await known();
      await post();
      const typed = await code();
      await control("POST", `/clock/advance?appId=${appId}`, { seconds: 600 });
      await put(typed);
    },
    { codeSent: 1, expiredCode: 1 },
    async ({ appId, known, post, put, code }) => {
      await known();
      await post();
      await control("POST", `/clock/advance?appId=${appId}`, { seconds: 590 });
      await put(await code());
    },
  ],
  [
    "replacedCode",
    async ({ known, post, put, code }) => {
      await known();
      await post();
      const older = await code();
      await post();
      await put(older);
    },
    { codeSent: 2, codeResent: 1, replacedCode: 1 },
    async ({ known, post, wrong }) => [await known(), await post(), await post(), await wrong()],
  ],
  [
    "usedCode",
    async ({ known, signIn, put, code }) => [await known(), await signIn(), await put(await code())],
    { codeSent: 1, signedIn: 1, usedCode: 1 },
    async ({ known, signIn }) => [await known(), await signIn(), await signIn()],
  ],
  [
    "noCode",
    async ({ known, put }) => [await known(), await put("123456")],
    { noCode: 1 },
    async ({ put }) => expect((await put("123456")).reason).toBe("unknown_user"),
  ],
  [
    "slowAnswer",
    async ({ known, slowPost }) => [await known(), await slowPost(3_000)],
    { codeSent: 1, slowAnswer: 1 },
    async ({ known, slowPost }) => [await known(), await slowPost(2_999), await slowPost(5_000, "admin")],
  ],
  [
    "noAnswer",
    async ({ known, set, post }) => [await known(), await set({ drop: true }), await post().catch(() => undefined)],
    { noAnswer: 1 },
    async ({ set, admin }) => [await set({ reset: true }), await admin("GET", "/v1/profiles").catch(() => undefined)],
  ],
  [
    "serverError",
    async ({ known, set, post }) => [await known(), await set({ status: 503 }), await post()],
    { serverError: 1 },
    async ({ set, admin }) => [await set({ status: 503 }), await admin("GET", "/v1/profiles")],
  ],
  [
    "appGaveUp",
    async ({ set, abandon }) => await abandon("auth", LOGIN, await set({ delayMs: 60_000 })),
    { appGaveUp: 1 },
    async ({ set, abandon }) => await abandon("admin", "/v1/profiles", await set({ delayMs: 60_000 })),
  ],
  [
    "signedInAfterExpiry",
    async ({ appId, post, signIn }) => {
      await post();
      await control("POST", `/clock/advance?appId=${appId}`, { seconds: 86_401 });
      await signIn();
    },
    { signedUp: 1, codeSent: 1, signedIn: 1, signedInAfterExpiry: 1 },
    async ({ appId, post, sessions, signIn }) => {
      await post();
      const [{ userId, id }] = await sessions();
      await control("POST", "/sessions", { appId, userId });
      await control("POST", `/sessions/${id}/expire`);
      await signIn();
    },
  ],
  [
    "answerLost",
    async ({ post, put, code, set }) => {
      await post();
      await post();
      await set({ drop: true, after: true });
      await put(await code()).catch(() => undefined);
    },
    { signedUp: 1, codeSent: 1, answerLost: 1, noAnswer: 1 },
    async ({ post, set }) => {
      await set({ drop: true });
      await post().catch(() => undefined);
    },
  ],
  [
    "sentTwice",
    async ({ post, put, code, set }) => {
      await post();
      await post();
      await set({ twice: true });
      await put(await code());
    },
    { signedUp: 1, codeSent: 1, sentTwice: 1, usedCode: 1 },
    async ({ post, put, code }) => {
      await post();
      await post();
      await put(await code());
    },
  ],
  [
    "signedInAfterRevocation",
    async ({ appId, post, signIn }) => {
      await post();
      await control("DELETE", `/sessions?appId=${appId}`);
      await signIn();
    },
    { signedUp: 1, codeSent: 1, signedIn: 1, signedInAfterRevocation: 1 },
    async ({ post, signOut, signIn }) => {
      const { token } = (await post()).json;
      expect((await signOut(token)).status).toBe(204);
      await signIn();
    },
    { sessionExtensions: true },
  ],
  [
    "signedOut",
    async ({ post, signOut }) => await signOut((await post()).json.token),
    { signedUp: 1, signedOut: 1 },
    async ({ post, signOut, sessions }) => {
      const { token } = (await post()).json;
      const [{ id }] = await sessions();
      await control("DELETE", `/sessions/${id}`);
      expect((await signOut(token)).status).toBe(401);
    },
    { sessionExtensions: true },
  ],
];

const STORIES = ROWS.map(([outcome, meet, counts, near, settings = {}]) => ({ outcome, meet, counts, near, settings }));

test.each(STORIES)("$outcome: what meets it counts, and nothing else", async ({ meet, counts, settings }) => {
  const user = await visitor(settings);
  await meet(user);
  expect(await user.met()).toEqual(counts);
});

test.each(STORIES)("$outcome: what comes near does not count", async ({ outcome, near, settings }) => {
  const user = await visitor(settings);
  await near(user);
  expect(await user.met()).not.toHaveProperty(outcome);
});

test("every outcome has its stories", () => {
  const told = new Set(ROWS.map(([outcome]) => outcome));
  // Those of messages that come late or twice: late-messages.test.ts.
  expect(OUTCOME_IDS.filter((outcome) => !told.has(outcome))).toEqual(["codeLate", "codeTwice"]);
  expect(OUTCOME_IDS).toHaveLength(27);
});

test.each([
  ["passcode_mismatch", "wrongCode"],
  ["passcode_exhausted", "locked"],
  ["passcode_expired", "expiredCode"],
  ["passcode_replaced", "replacedCode"],
  ["passcode_used", "usedCode"],
  ["passcode_not_sent", "noCode"],
  ["internal", "serverError"],
])("a fault that refuses for %s is answered as the service does: %s", async (name, outcome) => {
  const user = await visitor();
  await reason(name)(user);
  expect(await user.met()).toEqual({ [outcome]: 1 });
});

test("what a rule decided does not count if the disk refused it, or a status was invented", async () => {
  const user = await visitor();
  await user.set({ status: 200, body: { token: "no" } });
  await user.post();
  await sameStatus(user);
  await user.set({ reason: "disk_full" });
  await user.post();
  expect(await user.met()).toEqual({ serverError: 1 });
});

test("what a client repeats by itself counts once", async () => {
  const user = await visitor();
  await user.set({ drop: true });
  for (let n = 0; n < 3; n++) await expect(user.post()).rejects.toThrow();
  expect(await user.met()).toEqual({ noAnswer: 1 });
});

test("an item says what it is, when it was met and by which request", async () => {
  const { appId, post } = await visitor();
  const [first, again] = [await post(), await post()];
  const { items, met: kinds, total } = (await control("GET", `/coverage?appId=${appId}`)).json;
  expect([kinds, total, items.length]).toEqual([2, 27, 27]);
  const rowOf = async (answer: typeof first) =>
    (await control("GET", `/requests/${answer.headers.get("Emulator-Request-Id")}`)).json;
  expect(items[0]).toEqual({
    outcome: "signedUp",
    group: "Signing up",
    title: "Signed up",
    screen: expect.stringMatching(/\.$/),
    count: 1,
    resent: 0,
    firstAt: (await rowOf(first)).at,
    lastAt: (await rowOf(first)).at,
    lastRequestId: (await rowOf(first)).id,
    provoke: "Sign up with a phone number or email that no user has.",
  });
  expect(items.find(({ outcome }: { outcome: string }) => outcome === "codeSent").lastRequestId).toBe(
    (await rowOf(again)).id,
  );
  expect(items.at(-1)).toMatchObject({ count: 0, firstAt: null, lastAt: null, lastRequestId: null });
});

test("resent requests count as such, and can be left out", async () => {
  const { appId, known, post } = await visitor();
  await known();
  const sent = await post();
  const replay = `/requests/${sent.headers.get("Emulator-Request-Id")}/replay`;
  expect((await control("POST", replay, {})).json.status).toBe(202);
  await post({ "Emulator-Resent": "1" });
  expect(await met(appId)).toEqual({ codeSent: 3, codeResent: 2 });
  expect(await met(appId, "&resent=0")).toEqual({ codeSent: 1 });
  const { items } = (await control("GET", `/coverage?appId=${appId}`)).json;
  expect(items.find(({ outcome }: { outcome: string }) => outcome === "codeSent")).toMatchObject({
    count: 3,
    resent: 2,
  });
});

test("the first time that an app meets an outcome is an event", async () => {
  const stream = await openEvents(running.server.urls.console);
  const { appId, post } = await visitor();
  for (let n = 0; n < 3; n++) await post();
  const last = await stream.next(({ type, appId: of }) => type === "coverage.put" && of === appId);
  expect(last.item).toMatchObject({ outcome: "signedUp", count: 1 });
  await post();
  await until(
    () => stream.events.filter(({ type }) => type === "request.put").length,
    (rows) => rows > 0,
  );
  const own = stream.events.filter(({ type, appId: of }) => type === "coverage.put" && of === appId);
  expect(own.map(({ item }) => item)).toMatchObject([
    { outcome: "signedUp" },
    { outcome: "codeSent" },
    { outcome: "codeResent" },
  ]);
  stream.close();
});

test("DELETE counts anew: one app, or all; an unknown app is 404", async () => {
  const [one, other] = [await visitor(), await visitor()];
  await one.post();
  await other.post();
  expect((await control("DELETE", `/coverage?appId=${one.appId}`)).status).toBe(204);
  expect([await one.met(), await other.met()]).toEqual([{}, { signedUp: 1 }]);
  expect((await control("DELETE", "/coverage")).status).toBe(204);
  expect(await met()).toEqual({});
  expect((await control("GET", "/coverage?appId=ghost")).status).toBe(404);
  expect((await control("DELETE", "/coverage?appId=ghost")).status).toBe(404);
});

test("an app that is reset goes on; one that is made anew under the same id begins at nothing", async () => {
  const { appId, post, met: own } = await visitor();
  await post();
  expect((await control("DELETE", "/state?appId=demo-app")).status).toBe(204);
  const demo = { appId: "demo-app", user: { phone: freshPhone() } };
  await auth("POST", LOGIN, demo);
  expect((await control("DELETE", "/state?appId=demo-app")).status).toBe(204);
  expect(await met("demo-app")).toEqual({ signedUp: 1 });
  expect(await own()).toEqual({ signedUp: 1 });
  await control("DELETE", `/apps/${appId}`);
  await control("POST", "/apps", { appId });
  expect(await own()).toEqual({});
});

test("eight workers, each with apps that it deletes: the totals are exact", async () => {
  await control("DELETE", "/coverage");
  const LOGINS = 10;
  const work = async () => {
    for (let n = 0; n < LOGINS; n++) {
      const user = await visitor();
      await user.post();
      await user.post();
      await user.wrong();
      await user.put(await user.code());
      await Promise.all([user.set({ status: 500 }, "POST").then(() => user.post()), user.wrong()]);
      await control("DELETE", `/apps/${user.appId}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  const each = 8 * LOGINS;
  expect(await met()).toEqual({
    signedUp: each,
    codeSent: each,
    wrongCode: each,
    signedIn: each,
    rightAfterWrong: each,
    usedCode: each,
    serverError: each,
  });
});

test("of fifty concurrent tries with the right code, one is a sign-in", async () => {
  const { known, post, code, put, met: own } = await visitor();
  await known();
  await post();
  const typed = await code();
  await Promise.all(Array.from({ length: 50 }, () => put(typed)));
  expect(await own()).toEqual({ codeSent: 1, signedIn: 1, usedCode: 49 });
});

test("a bound token sees, clears and provokes its own app alone", async () => {
  const as = (token: string) => ({ Authorization: `Bearer ${token}` });
  const [whole, join] = ["whole-console", "join-the-others"];
  const config = { consoleHost: "127.0.0.1", accessToken: whole, joinToken: join };
  const shared = await startInProcess({ config });
  const { control: ask, auth: signUp } = clientsOf(() => shared);
  const joined = async () => {
    const { appId, accessToken } = (await ask("POST", "/apps", { ttlSeconds: 60 }, as(join))).json;
    const phone = freshPhone();
    await signUp("POST", LOGIN, { appId, user: { phone } });
    const coverage = async (token = accessToken) => (await ask("GET", "/coverage", undefined, as(token))).json.items[0];
    return { appId, bound: as(accessToken), phone, coverage };
  };
  const [mine, other] = [await joined(), await joined()];
  expect([(await mine.coverage()).count, (await mine.coverage(whole)).count]).toEqual([1, 2]);
  for (const [method, path] of [
    ["GET", ""],
    ["DELETE", ""],
    ["DELETE", "/provoke"],
  ] as const)
    expect((await ask(method, `/coverage${path}?appId=${other.appId}`, undefined, mine.bound)).status).toBe(403);
  const provoke = { outcome: "serverError" };
  const foreign = { ...provoke, appId: other.appId };
  expect((await ask("POST", "/coverage/provoke", foreign, mine.bound)).status).toBe(403);
  expect((await ask("POST", "/coverage/provoke", provoke, mine.bound)).status).toBe(200);
  expect((await ask("DELETE", "/coverage/provoke", undefined, mine.bound)).status).toBe(204);
  expect((await ask("GET", "/faults", undefined, as(whole))).json.items).toEqual([]);
  expect((await ask("DELETE", "/coverage", undefined, mine.bound)).status).toBe(204);
  expect([(await mine.coverage()).count, (await other.coverage()).count]).toEqual([0, 1]);
  await shared.close();
});
