/** Undoing one change: exactly its records, all of them or none. */
import { describe, expect, test } from "vitest";
import { LOGIN, snapshotCalls } from "#test/http/control/snapshot-calls.ts";
import { freshPhone, handClock, harness } from "#test/http/control/support.ts";

const clock = handClock();
const at = harness({ now: clock.now });
const { control, auth, app } = at;
const { state, login, save, restore } = snapshotCalls(at);

/** A call as a page of the console makes it. */
const inWindow = async (method: string, path: string, body?: object) => {
  const { status, json } = await control(method, path, body, { Origin: at.server.urls.console });
  expect(status, JSON.stringify(json)).toBeLessThan(300);
  return json;
};
const history = async () => (await control("GET", "/timeline?by=console&brief=1")).json.items;
const newest = async (): Promise<number> => (await history())[0].seq;
const undo = async (seq: number) => await control("POST", "/rewind", { undo: seq });
const signUp = async (appId: string, user: object) => (await auth("POST", LOGIN, { appId, user })).status;

/** An app with some profiles. @returns their ids and phones too. */
const peopled = async (count: number) => {
  const made = await app();
  const all: { userId: string; phone: string }[] = [];
  for (let n = 0; n < count; n++) all.push(await made.profile({ name: `User ${n}`, metadata: { n } }));
  return { ...made, all, userIds: all.map(({ userId }) => userId) };
};

describe("70 deleted profiles", () => {
  test("come back as they were, with sessions and codes, in one transaction", async () => {
    const { appId, all, userIds } = await peopled(70);
    await login(appId, all[0]?.phone ?? "");
    const before = await state(appId);
    await inWindow("POST", "/profiles/delete", { appId, userIds });
    const [item] = await history();
    expect(item).toMatchObject({ what: "70 profiles deleted", byConsole: true, changes: [] });
    expect((await undo(item.seq)).json.changed).toMatchObject({ profiles: 70, sessions: 1 });
    expect(await state(appId)).toBe(before);
    expect((await history())[0]).toMatchObject({ seq: item.seq, undone: true });
  });

  test("do not come back over a stranger who has a number of theirs, and nothing of the stranger changes", async () => {
    const { appId, all, userIds } = await peopled(70);
    await inWindow("POST", "/profiles/delete", { appId, userIds });
    const seq = await newest();
    expect(await signUp(appId, { phone: all[40]?.phone, name: "Stranger" })).toBe(200);
    const before = await state(appId);
    const refused = await undo(seq);
    expect([refused.status, refused.reason]).toEqual([409, "username_taken_since"]);
    expect(refused.json.instruction).toMatch(/belongs to "Stranger" .* Nothing was changed\./);
    expect(await state(appId)).toBe(before);
  });

  test("do not come back over a stranger who has an email of theirs, where both are unique (D9)", async () => {
    const { appId, profile } = await app({ settings: { profile: { unique: "both" } } });
    const { userId } = await profile({ email: "ada@example.com" });
    await inWindow("POST", "/profiles/delete", { appId, userIds: [userId] });
    const seq = await newest();
    expect((await profile({ email: "Ada@example.com", name: "Stranger" })).userId).not.toBe(userId);
    const before = await state(appId);
    const refused = await undo(seq);
    expect([refused.status, refused.reason]).toEqual([409, "username_taken_since"]);
    expect(refused.json.instruction).toMatch(/^Ada@example.com belongs to "Stranger" .* Nothing was changed\./);
    expect(await state(appId)).toBe(before);
  });

  test("never touch a stranger, however their sign-up and the undo meet", async () => {
    const { appId, all, userIds } = await peopled(4);
    const ends = { undone: 0, refused: 0 };
    for (let n = 0; n < 200; n++) {
      await inWindow("POST", "/profiles/delete", { appId, userIds });
      const seq = await newest();
      const phone = all[n % 4]?.phone;
      const ask = () => signUp(appId, { phone, name: "Stranger" });
      const both = n % 2 === 0 ? [undo(seq), ask()] : [ask(), undo(seq)];
      await Promise.all(both);
      const { items } = (await control("GET", `/profiles?appId=${appId}`)).json;
      const holder = items.find((one: { phone: string }) => one.phone === phone);
      if (holder.name === "Stranger") {
        ends.refused++;
        expect(items).toHaveLength(1);
        expect(holder).toMatchObject({ email: null, metadata: null, testPasscode: null });
        expect(userIds).not.toContain(holder.userId);
        await control("DELETE", `/profiles/${holder.userId}?appId=${appId}`);
        expect((await undo(seq)).status).toBe(200);
      } else {
        ends.undone++;
        expect(items.map(({ userId }: { userId: string }) => userId)).toEqual(userIds);
        expect(holder).toMatchObject({ name: `User ${n % 4}`, metadata: { n: n % 4 } });
      }
    }
    expect(ends.undone + ends.refused).toBe(200);
    expect(Math.min(ends.undone, ends.refused)).toBeGreaterThan(0);
  });

  test("of several apps are one transaction", async () => {
    const [one, two] = [await peopled(2), await peopled(3)];
    const apps = [one, two].map(({ appId, userIds }) => ({ appId, userIds }));
    const before = await state();
    expect(await inWindow("POST", "/profiles/delete", { apps })).toEqual({ deleted: 5 });
    expect((await undo(await newest())).json.changed.profiles).toBe(5);
    expect(await state()).toBe(before);
    expect((await control("POST", "/profiles/delete", {})).status).toBe(422);
  });
});

describe("what strangers did since", () => {
  test("stays, if it is not in the way", async () => {
    const { appId, all, profile } = await peopled(2);
    const other = await profile({ name: "Other" });
    await inWindow("PATCH", `/profiles/${all[0]?.userId}?appId=${appId}`, { name: "Renamed" });
    const seq = await newest();
    await login(appId, other.phone);
    expect(await signUp(appId, { phone: freshPhone(), name: "New" })).toBe(200);
    const since = (await control("GET", `/profiles?appId=${appId}`)).json.items;
    expect((await undo(seq)).status).toBe(200);
    const now = (await control("GET", `/profiles?appId=${appId}`)).json.items;
    expect(now).toEqual(since.map((one: object, place: number) => (place === 0 ? all[0] : one)));
  });

  test.each([
    [
      "renamed by its backend",
      "Ada B has changed since.",
      async (appId: string, userId: string) =>
        await control("PATCH", `/profiles/${userId}?appId=${appId}`, { name: "Ada B" }),
    ],
    [
      "deleted",
      "Ada was deleted since.",
      async (appId: string, userId: string) => await control("DELETE", `/profiles/${userId}?appId=${appId}`),
    ],
  ] as const)("a profile that was %s refuses the undo of an edit", async (_, words, meanwhile) => {
    const { appId, profile } = await app();
    const { userId } = await profile({ name: "Ada" });
    await inWindow("PATCH", `/profiles/${userId}?appId=${appId}`, { email: "ada@example.com" });
    const seq = await newest();
    await meanwhile(appId, userId);
    const before = await state(appId);
    const refused = await undo(seq);
    expect([refused.status, refused.reason]).toEqual([409, "changed_since"]);
    expect(refused.json.instruction).toBe(`${words} Nothing was changed.`);
    expect(await state(appId)).toBe(before);
  });

  test("a user who was created in the window and has signed in since stays", async () => {
    const { appId } = await app();
    const phone = freshPhone();
    const { userId } = await inWindow("POST", "/profiles", { appId, phone, name: "Ada" });
    const seq = await newest();
    await login(appId, phone);
    await control("PATCH", `/profiles/${userId}?appId=${appId}`, { name: "Ada" });
    expect((await undo(seq)).json.instruction).toBe(
      "A passcode was sent to Ada, Ada has signed in since. Nothing was changed.",
    );
  });

  test("a newer code stays the only valid one", async () => {
    const { appId, profile, ask } = await app();
    const { phone } = await profile({ name: "Ada" });
    await ask(phone);
    await inWindow("DELETE", `/passcodes?appId=${appId}`);
    const seq = await newest();
    await ask(phone);
    expect((await undo(seq)).json.instruction).toBe("A passcode was sent to Ada since. Nothing was changed.");
  });

  test("a sign-up stays when a reset of all apps is undone", async () => {
    const { appId } = await peopled(2);
    const before = (await control("GET", `/profiles?appId=${appId}`)).json.items;
    await inWindow("DELETE", "/state");
    const seq = await newest();
    const phone = freshPhone();
    expect(await signUp("demo-app", { phone })).toBe(200);
    const at = async (id: string) =>
      (await control("GET", `/profiles?appId=${id}&q=${encodeURIComponent(phone)}`)).json;
    const stranger = (await at("demo-app")).items;
    expect((await undo(seq)).status).toBe(200);
    expect((await at("demo-app")).items).toEqual(stranger);
    expect((await control("GET", `/profiles?appId=${appId}`)).json.items).toEqual(before);
  });

  test("many are named as far as one can read", async () => {
    const { appId, all, userIds } = await peopled(9);
    await inWindow("PUT", `/state?appId=${appId}`, {
      state: { version: 1, apps: [{ appId, profiles: userIds.map((userId) => ({ userId, email: null, name: "N" })) }] },
      mode: "merge",
    });
    const seq = await newest();
    for (const { userId } of all) await control("PATCH", `/profiles/${userId}?appId=${appId}`, { name: `P${userId}` });
    expect((await undo(seq)).json.instruction).toMatch(
      /^P.* has changed, P.* has changed, P.* has changed, and 6 more since\./,
    );
  });
});

describe("every change of the window", () => {
  test.each<[string, (at: { appId: string; userId: string; phone: string }) => Promise<unknown>]>([
    [
      "an edit",
      ({ appId, userId }) => inWindow("PATCH", `/profiles/${userId}?appId=${appId}`, { name: "B", scenario: "locked" }),
    ],
    ["a creation", ({ appId }) => inWindow("POST", "/profiles", { appId, phone: freshPhone() })],
    ["a deletion", ({ appId, userId }) => inWindow("DELETE", `/profiles/${userId}?appId=${appId}`)],
    ["Clear", ({ appId }) => inWindow("DELETE", `/passcodes?appId=${appId}`)],
    ["a code", ({ appId, userId }) => inWindow("POST", "/passcodes", { appId, userId })],
    ["a session", ({ appId, userId }) => inWindow("POST", "/sessions", { appId, userId })],
    ["a revocation", ({ appId, userId }) => inWindow("DELETE", `/sessions?appId=${appId}&userId=${userId}`)],
    ["a connection", ({ appId, userId }) => inWindow("POST", "/connections", { appId, userId, name: "c" })],
    [
      "settings",
      ({ appId }) =>
        inWindow("PATCH", `/apps/${appId}`, {
          name: "Other",
          strategy: "email",
          settings: { passcode: { length: 4 } },
        }),
    ],
    ["a secret", ({ appId }) => inWindow("POST", `/apps/${appId}/secret`)],
    ["a clock", ({ appId }) => inWindow("POST", `/clock/advance?appId=${appId}`, { seconds: 60 })],
    ["the clock of all", () => inWindow("POST", "/clock/advance", { seconds: 60 })],
    ["a deleted app", ({ appId }) => inWindow("DELETE", `/apps/${appId}`)],
    ["a new app", () => inWindow("POST", "/apps", { name: "New" })],
    ["a reset of the app", ({ appId }) => inWindow("DELETE", `/state?appId=${appId}`)],
    ["a reset of all", () => inWindow("DELETE", "/state")],
    [
      "an import",
      ({ appId }) =>
        inWindow("PUT", "/state", {
          mode: "merge",
          state: { version: 1, apps: [{ appId, name: "I", generate: { count: 3 } }] },
        }),
    ],
    [
      "a rewind",
      async ({ appId, userId }) =>
        await inWindow("POST", "/rewind", {
          appId,
          userId,
          to: (await control("POST", "/mark", { appId })).json.seq - 1,
        }),
    ],
  ])("is undone, done again, and undone again: %s", async (_, change) => {
    const { appId, profile } = await app();
    const { userId, phone } = await profile({ name: "Ada" });
    await login(appId, phone);
    await auth("POST", LOGIN, { appId, user: { phone } });
    const before = await state();
    await change({ appId, userId, phone });
    const after = await state();
    expect(after).not.toBe(before);
    const seq = await newest();
    const first = await undo(seq);
    expect(first.json, first.text).toMatchObject({ changed: {} });
    expect(await state()).toBe(before);
    // Undoing the undo does it again.
    expect((await undo(first.json.seq)).status).toBe(200);
    expect(await state()).toBe(after);
    expect((await history())[0].undone).toBeUndefined();
    expect((await undo(seq)).status).toBe(200);
    expect(await state()).toBe(before);
    expect((await undo(seq)).json.instruction).toBe("It was already undone. Nothing was changed.");
  });

  test("is undone level by level, also the restore of a snapshot", async () => {
    const { appId, profile } = await app();
    const { userId } = await profile({ name: "A" });
    const states = [await state(appId)];
    await save("s", appId);
    for (const name of ["B", "C"]) {
      await inWindow("PATCH", `/profiles/${userId}?appId=${appId}`, { name });
      states.push(await state(appId));
    }
    await inWindow("POST", `/snapshots/s/restore?appId=${appId}`);
    const [restored] = await history();
    expect(restored.what).toBe("Restored the snapshot s");
    for (const [place, { seq }] of (await history()).slice(0, 3).entries()) {
      expect((await undo(seq)).status).toBe(200);
      expect(await state(appId)).toBe(states[2 - place]);
    }
    await restore("s", appId);
  });

  test("is told from what others do, and announced to every window", async () => {
    const { appId, profile } = await app();
    const { userId } = await profile({ name: "Ada" });
    const before = await newest();
    await control("PATCH", `/profiles/${userId}?appId=${appId}`, { name: "By a test" });
    expect(await newest()).toBe(before);
    await inWindow("PATCH", `/profiles/${userId}?appId=${appId}`, { name: "By hand" });
    expect((await history())[0]).toMatchObject({ user: "By hand", what: "Profile updated: name" });
  });
});

test("a deleted app is named", async () => {
  const { appId, name } = (await control("POST", "/apps", { name: "Going" })).json;
  await inWindow("DELETE", `/apps/${appId}`);
  expect((await history())[0]).toMatchObject({ what: "App deleted", app: name });
});

test("an undo needs a change that is there, of the named app alone, and nothing else in the order", async () => {
  const { appId, profile } = await app();
  await profile();
  const { seq } = (await control("POST", "/mark", { appId })).json;
  const other = await app();
  const rewind = async (body: object) => (await control("POST", "/rewind", body)).status;
  expect(await rewind({ undo: seq, to: 1 })).toBe(422);
  expect(await rewind({ undo: seq, clock: "then" })).toBe(422);
  expect(await rewind({ undo: 999_999 })).toBe(404);
  expect(await rewind({ undo: 0 })).toBe(410);
  expect(await rewind({ undo: seq, appId: other.appId })).toBe(404);
  expect(await rewind({ undo: seq, appId })).toBe(200);
});
