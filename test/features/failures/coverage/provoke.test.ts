/** An outcome is provoked, and the next login meets it, once. */
import { expect, test } from "vitest";
import { OUTCOME_IDS, OUTCOMES, type OutcomeId } from "#features/failures/coverage/contract/outcomes.ts";
import { freshPhone, UUID, until } from "#test/http/control/support.ts";
import { coverageHarness, monotonic, type Visitor } from "./support.ts";

const { running, visitor } = coverageHarness();
const { control, auth, app } = running;
const LOGIN = "/v1/users/session";

const provoke = async (outcome: OutcomeId, { appId }: Pick<Visitor, "appId">, to?: string) => {
  const answer = await control("POST", "/coverage/provoke", { appId, outcome, ...(to && { to }) });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json;
};

/** What `then` asks for, by the sentence of the table. */
const THEN: Readonly<Record<string, (user: Visitor) => Promise<unknown>>> = {
  "Sign up with a phone number or email that no user has.": ({ appId }) =>
    auth("POST", LOGIN, { appId, user: { phone: freshPhone() } }),
  "Sign up.": ({ post }) => post(),
  "Sign up as {user} again: the account is deleted.": ({ post }) => post(),
  "Request a code as {user}.": ({ post }) => post().catch(() => undefined),
  "Request a code as {user}, and enter it.": async ({ post, put, code }) => [
    await post(),
    await put(await code()).catch(() => undefined),
  ],
  "Sign in as {user}, and send a name or email along with the code.": ({ signIn }) => signIn({ name: "Ada" }),
  "Request a code as {user}, and enter a wrong one.": async ({ post, wrong }) => [await post(), await wrong()],
  "Request a code as {user}, enter a wrong one, then the correct one.": async ({ post, wrong, put, code }) => [
    await post(),
    await wrong(),
    await put(await code()),
  ],
  "Sign in as {user}.": ({ signIn }) => signIn(),
  "Sign in as {user}, then out, in an app with the setting `sessionExtensions`.": async ({ signIn, signOut }) =>
    await signOut((await signIn()).json.token),
};
const ARRANGED = OUTCOME_IDS.filter(
  (outcome) => !["codeLate", "codeTwice", "slowAnswer", "appGaveUp"].includes(outcome),
);

test.each(ARRANGED)("%s: provoke it, do what it says, and it is met", async (outcome) => {
  const user = await visitor({ sessionExtensions: true });
  await user.known();
  const { set, then, ...rest } = await provoke(outcome, user, user.phone);
  expect(rest).toEqual({ outcome });
  for (const id of Object.values(set)) expect(id).toMatch(UUID);
  expect(then).toBe(OUTCOMES[outcome].then.replace("{user}", user.phone));
  await THEN[OUTCOMES[outcome].then]?.(user);
  const met = await user.met();
  expect(met).toHaveProperty(outcome, 1);
  // It is used up: the same again does not meet it, where that needs an arrangement.
  if (set.faultId === undefined) return;
  expect(await user.fault(set.faultId)).toMatchObject({ used: 1, remaining: 0, times: 1 });
  await THEN[OUTCOMES[outcome].then]?.(user);
  expect(await user.met()).toHaveProperty(outcome, 1);
});

test("slowAnswer: the answer takes more than three seconds", async () => {
  const user = await visitor();
  const { set } = await provoke("slowAnswer", user, user.phone);
  const answer = user.post();
  await until(
    () => user.fault(set.faultId),
    ({ used }) => used === 1,
  );
  monotonic.ms += (await user.fault(set.faultId)).effect.delayMs;
  expect((await answer).status).toBe(200);
  expect(await user.met()).toEqual({ signedUp: 1, slowAnswer: 1 });
});

test("appGaveUp: the answer does not come before the app gives up", async () => {
  const user = await visitor();
  const { set, then } = await provoke("appGaveUp", user);
  expect(then).toBe("Request a code as any user, and wait until the app times out.");
  await user.abandon("auth", LOGIN, set.faultId);
  expect(await user.met()).toEqual({ appGaveUp: 1 });
});

test.each(["signedInAfterExpiry", "signedInAfterRevocation", "codeResent", "signedUpAgain"] as const)(
  "%s without a recipient says as whom to sign in",
  async (outcome) => {
    const own = await app();
    const kept = await own.profile();
    const { set, then } = await provoke(outcome, own);
    const [to] = /\+\d+/.exec(then) ?? [];
    expect(to === kept.phone).toBe(outcome !== "signedUpAgain");
    expect(set.userId).toMatch(UUID);
    // Nobody who was not named is deleted.
    expect((await control("GET", `/profiles/${kept.userId}?appId=${own.appId}`)).status).toBe(200);
    const empty = await app({ strategy: "email" });
    expect((await provoke(outcome, empty)).then).toMatch(/user-\d{7}@example\.com/);
  },
);

test("a recipient without a profile becomes a user; one that cannot be is 422", async () => {
  const own = await app();
  const phone = freshPhone();
  const { set } = await provoke("signedInAfterExpiry", own, phone);
  expect((await control("GET", `/profiles/${set.userId}?appId=${own.appId}`)).json).toMatchObject({ phone });
  for (const outcome of ["codeResent", "expiredCode", "wrongCode"]) {
    const refused = await control("POST", "/coverage/provoke", { appId: own.appId, outcome, to: "911" });
    expect([refused.status, Object.keys(refused.json)]).toEqual([422, ["phone"]]);
  }
});

const ONLY_WITH_A_CODE = [
  "codeTwice",
  "codeNeverCame",
  "locked",
  "expiredCode",
  "replacedCode",
  "usedCode",
  "noCode",
] as const;

test.each(ONLY_WITH_A_CODE)("%s: a recipient without a profile gets a code, too", async (outcome) => {
  const user = await visitor();
  const { set } = await provoke(outcome, user, user.phone);
  expect(set.userId).toBe(await user.userId());
  await THEN[OUTCOMES[outcome].then]?.(user);
  await until(user.met, (met) => met[outcome] === 1);
});

test("the next login meets it whatever faults are on, and whatever was provoked before", async () => {
  const user = await visitor();
  await user.set({ delayMs: 1 });
  await provoke("serverError", user, user.phone);
  await provoke("rateLimited", user);
  const answers = [await user.post(), await user.post(), await user.post()];
  expect(answers.map(({ status }) => status)).toEqual([429, 503, 200]);
});

test("it concerns its recipient and app alone, replaces itself, and DELETE removes what is not used up", async () => {
  const [one, other] = [await visitor(), await visitor()];
  await provoke("serverError", one, one.phone);
  const { set } = await provoke("serverError", one, one.phone);
  await provoke("rateLimited", other);
  expect((await control("GET", `/faults?appId=${one.appId}`)).json.items).toMatchObject([{ id: set.faultId }]);
  expect(await one.ask(freshPhone())).toBe(200);
  const manual = await one.set({ delayMs: 1 });
  expect((await control("DELETE", `/coverage/provoke?appId=${one.appId}`)).status).toBe(204);
  expect((await one.post()).status).toBe(200);
  expect((await control("GET", `/faults?appId=${one.appId}`)).json.items).toMatchObject([{ id: manual }]);
  expect((await other.post()).status).toBe(429);
  await provoke("rateLimited", other);
  expect((await control("DELETE", "/coverage/provoke")).status).toBe(204);
  expect((await other.post()).status).toBe(200);
});

test("an unknown outcome is 422 with the nearest name, an unknown app 404", async () => {
  const refused = await control("POST", "/coverage/provoke", { appId: "demo-app", outcome: "expired" });
  expect([refused.status, Object.keys(refused.json)]).toEqual([422, ["outcome"]]);
  expect((await control("POST", "/coverage/provoke", { appId: "ghost", outcome: "locked" })).status).toBe(404);
});
