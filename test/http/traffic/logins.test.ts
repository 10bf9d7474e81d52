/** Which login a request belongs to, as its row says. */
import { describe, expect, test } from "vitest";
import type { Reply } from "#test/hosts/client.ts";
import { freshPhone, harness } from "#test/http/control/support.ts";

const { control, auth, app, admin } = harness();

const idOf = ({ headers }: Reply): string => headers.get("Emulator-Request-Id") ?? "none";
const loginOf = async (reply: Reply) => (await control("GET", `/requests/${idOf(reply)}`)).json.login;
const bundled = async (reply: Reply): Promise<string[]> =>
  (await control("GET", `/requests/${idOf(reply)}/bundle`)).json.requests.map(({ id }: { id: string }) => id);

/** A user of an app of its own, and the calls of a login. */
const stage = async (input: object = {}) => {
  const { appId, profile } = await app(input);
  const { userId, phone } = await profile();
  const ask = (user: unknown = { phone }, more: object = {}) =>
    auth("POST", "/v1/users/session", { appId, user, ...more });
  const enter = (passcode: unknown, user: unknown = { phone }) =>
    auth("PUT", "/v1/users/session", { appId, user, passcode });
  const code = async (): Promise<string> => (await control("GET", `/passcodes/latest?appId=${appId}`)).json.code;
  const signIn = async () => await enter(await code());
  const sendCode = () => control("POST", "/passcodes", { appId, userId });
  return { appId, userId, phone, ask, enter, code, signIn, sendCode };
};

describe("a login", () => {
  test("goes from a user's first request to the session: each row names the first, the username and the code", async () => {
    const { appId, phone, ask, enter, code } = await stage();
    const rows = [await ask(), await enter("000000"), await enter(7), await ask()];
    const right = await code();
    rows.push(await enter(right), await ask());
    const first = { id: idOf(rows[0] as Reply), to: phone };
    expect(await Promise.all(rows.map(loginOf))).toEqual([
      { ...first, typed: null },
      { ...first, typed: "000000" },
      { ...first, typed: "7" },
      { ...first, typed: null },
      { ...first, typed: right },
      { id: idOf(rows[5] as Reply), to: phone, typed: null },
    ]);
    const { items, total } = (await control("GET", `/requests?login=${first.id}`)).json;
    const own = rows.slice(0, 5).map(idOf);
    expect([total, items.map(({ id }: { id: string }) => id)]).toEqual([5, own.toReversed()]);
    expect((await control("GET", `/requests?login=${first.id}&appId=${appId}&method=put`)).json.total).toBe(3);
    for (const row of rows.slice(0, 5)) expect(await bundled(row)).toEqual(own);
  });

  test("goes on through failures, and ends with a sign-up too, but not with a session that a fault made up", async () => {
    const { appId, ask, enter } = await stage();
    const user = { phone: freshPhone() };
    await control("POST", "/faults", { match: { appId, to: user.phone }, effect: { status: 503 }, times: 1 });
    await control("POST", "/faults", { match: { appId, to: user.phone }, effect: { status: 200 }, times: 1 });
    const rows = [await ask(user), await ask(user), await ask(user), await enter("1", user)];
    expect(rows.map(({ status }) => status)).toEqual([503, 200, 200, 401]);
    const [first, second, third, next] = await Promise.all(rows.map(async (row) => (await loginOf(row)).id));
    expect([first, second, third]).toEqual(Array(3).fill(idOf(rows[0] as Reply)));
    expect(next).toBe(idOf(rows[3] as Reply));
  });

  test("ends after ten quiet minutes of the service's clock", async () => {
    const { ask, enter } = await stage();
    const pass = (seconds: number) => control("POST", "/clock/advance", { seconds });
    const first = await ask();
    await pass(590);
    const second = await enter("1");
    await pass(590);
    const third = await enter("2");
    await pass(601);
    const fourth = await enter("3");
    expect((await loginOf(second)).id).toBe(idOf(first));
    expect((await loginOf(third)).id).toBe(idOf(first));
    expect((await loginOf(fourth)).id).toBe(idOf(fourth));
  });

  test("begins with a code that the console sent, and its bundle holds nothing of the login before", async () => {
    const { ask, signIn, sendCode } = await stage();
    const asked = await ask();
    const signedIn = await signIn();
    await sendCode();
    const again = await signIn();
    expect((await loginOf(signedIn)).id).toBe(idOf(asked));
    expect((await loginOf(again)).id).toBe(idOf(again));
    expect(await bundled(again)).toEqual([idOf(again)]);
    expect(await bundled(signedIn)).toEqual([asked, signedIn].map(idOf));
  });

  test("that goes on keeps a code that the console sends; that code holds it open", async () => {
    const { ask, signIn, sendCode } = await stage();
    const asked = await ask();
    const pass = () => control("POST", "/clock/advance", { seconds: 400 });
    await pass();
    await sendCode();
    await pass();
    expect((await loginOf(await signIn())).id).toBe(idOf(asked));
  });

  test("stays two logins with usernames and codes when the app's wire settings change", async () => {
    const { appId, phone, ask, enter, code, signIn } = await stage();
    const asked = await ask();
    const wrong = await enter("000000");
    const right = await code();
    const rows = [asked, wrong, await signIn(), await ask(), await enter("111111")];
    const before = await Promise.all(rows.map(loginOf));
    const wire = { envelope: "session", userField: "person", passcodeField: "otp" };
    await control("PATCH", `/apps/${appId}`, { settings: { wire } });
    expect(await Promise.all(rows.map(loginOf))).toEqual(before);
    expect(before.map(({ to, typed }) => [to, typed])).toEqual([
      [phone, null],
      [phone, "000000"],
      [phone, right],
      [phone, null],
      [phone, "111111"],
    ]);
    expect(await bundled(wrong)).toEqual(rows.slice(0, 3).map(idOf));
    const session = { appId, person: { phone }, otp: "222222" };
    const renamed = await auth("PUT", "/v1/users/session", { session });
    expect(await loginOf(renamed)).toEqual({ id: before[3].id, to: phone, typed: "222222" });
  });

  test("is of one user: an address in capitals is the same one, another app's user is not", async () => {
    const [one, other] = [await stage({ strategy: "email" }), await stage({ strategy: "email" })];
    const asked = await one.ask({ email: "" });
    const ask = await one.enter("1", { email: "ada@example.com" });
    expect(await loginOf(asked)).toBeNull();
    const capitals = await one.enter("1", { email: "Ada@Example.com" });
    expect(await loginOf(capitals)).toEqual({ id: idOf(ask), to: "Ada@Example.com", typed: "1" });
    const stranger = await other.enter("1", { email: "ada@example.com" });
    expect((await loginOf(stranger)).id).toBe(idOf(stranger));
    const eve = await one.enter("1", { email: "eve@example.com" });
    expect((await loginOf(eve)).id).toBe(idOf(eve));
  });

  test("does not outlive a reset, which leaves its rows", async () => {
    const { appId, ask, enter } = await stage();
    const asked = await ask();
    await control("DELETE", `/state?appId=${appId}`);
    await control("POST", "/apps", { appId });
    const again = await enter("1");
    expect((await loginOf(asked)).id).toBe(idOf(asked));
    expect((await loginOf(again)).id).toBe(idOf(again));
  });

  test("does not outlive an app that is made again under the same id, nor do its rows", async () => {
    const { appId, ask, enter } = await stage();
    const asked = await ask();
    await control("DELETE", `/apps/${appId}`);
    await control("POST", "/apps", { appId });
    const again = await enter("1");
    expect((await control("GET", `/requests/${idOf(asked)}`)).status).toBe(404);
    expect((await loginOf(again)).id).toBe(idOf(again));
  });
});

describe("a row has", () => {
  test("the login of a request that a fault refused or dropped, or a limit", async () => {
    const { appId, phone, ask, enter } = await stage({ settings: { limits: { requestsPerMinute: 2 } } });
    await control("POST", "/faults", { match: { appId }, effect: { drop: true }, times: 1 });
    await enter("123456").catch(() => undefined);
    const [dropped] = (await control("GET", `/requests?appId=${appId}`)).json.items;
    expect(dropped).toMatchObject({ status: 0, login: { id: dropped.id, to: phone, typed: "123456" } });
    for (let n = 0; n < 2; n++) await ask();
    const limited = await ask();
    expect([limited.status, await loginOf(limited)]).toEqual([429, { id: dropped.id, to: phone, typed: null }]);
  });

  test("what was sent in place of a username, also where the app is unknown", async () => {
    const { ask } = await stage();
    const byEmail = await ask({ email: "ada@example.com" });
    expect([byEmail.status, (await loginOf(byEmail)).to]).toEqual([422, "ada@example.com"]);
    const body = { appId: "ghost", user: { phone: "+12025550199" }, passcode: "1" };
    const lost = await auth("PUT", "/v1/users/session", body);
    expect(await loginOf(lost)).toEqual({ id: idOf(lost), to: "+12025550199", typed: "1" });
  });

  test("null where no user was named, and for what is no login", async () => {
    const { appId, ask } = await stage();
    const rows = [
      await ask({}),
      await ask(undefined, { user: 7 }),
      await ask({ phone: 12025550100 }),
      await auth("POST", "/v1/users/session", "{"),
      await auth("POST", "/v1/users/session", {}),
      await auth("DELETE", "/v1/users/session"),
      await auth("GET", `/v1/nowhere?appId=${appId}`),
      await admin("GET", "/v1/profiles"),
    ];
    expect(await Promise.all(rows.map(loginOf))).toEqual(rows.map(() => null));
    expect(await bundled(rows[0] as Reply)).toEqual([idOf(rows[0] as Reply)]);
  });

  test("the beginning of a username and a code that are too long to keep", async () => {
    const { ask, enter } = await stage();
    const long = `+${"1".repeat(5_000)}`;
    expect((await loginOf(await ask({ phone: long }))).to).toBe(`${long.slice(0, 256)}…`);
    expect((await loginOf(await enter("9".repeat(5_000)))).typed).toBe(`${"9".repeat(256)}…`);
  });
});
