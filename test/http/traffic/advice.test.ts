/** Advice on rows: what the service cannot say. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BOUNDS } from "#contract/bounds.ts";
import type { Advice } from "#contract/control/requests.ts";
import type { RunningServer } from "#server/server.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

let server: RunningServer;
/** Goes on when a test says so: what is sent is sent at once. */
let nowMs = 1_000;
const { auth, control } = clientsOf(() => server);
beforeAll(async () => {
  server = await startInProcess({ monotonic: () => nowMs });
});
afterAll(async () => await server.close());

const PATH = "/v1/users/session";
const newApp = async (strategy: "phone" | "email"): Promise<string> =>
  (await control("POST", "/apps", { name: "Own", strategy })).json.appId;
const adviceNow = async (appId: string) =>
  (await control("GET", `/requests?appId=${appId}&limit=1`)).json.items[0].advice;
const of = (advice: readonly Advice[], code: string) => advice.find((one) => one.code === code);

test("a passcode in a POST that worked: it is ignored, and the code typed no longer works", async () => {
  const appId = await newApp("phone");
  const user = { phone: "+12025550151" };
  await auth("POST", PATH, { appId, user });
  expect((await auth("POST", PATH, { appId, user: { ...user, name: "Ida" }, passcode: "123456" })).status).toBe(202);
  const [row] = (await control("GET", `/requests?appId=${appId}&limit=1`)).json.items;
  expect(row.ignoredFields).toEqual(["passcode", "user.name"]);
  expect(of(row.advice, "passcode_in_post")).toMatchObject({ text: expect.stringContaining("only a PUT reads") });
  expect(of(row.advice, "ignored")).toBeDefined();
});

test("two POSTs of a user within 300 ms: what the first one did", async () => {
  const appId = await newApp("phone");
  const user = { phone: "+12025550157" };
  const send = async (status: number): Promise<string | undefined> => {
    expect((await auth("POST", PATH, { appId, user })).status).toBe(status);
    return of(await adviceNow(appId), "sent_twice")?.text;
  };
  expect(await send(200)).toBeUndefined();
  nowMs += 250;
  expect(await send(202)).toMatch(
    /^The same POST came 250 ms before \(request .{36}\)\. That one signed the user up: send one/,
  );
  nowMs += 300;
  expect(await send(202)).toMatch(/ 300 ms before .* Only the newest code works: send one POST for each press\.$/);
  nowMs += 301;
  expect(await send(202)).toBeUndefined();
});

test.each([
  ["phone", "+4917112345678", "+49017112345678"],
  ["phone", "+4917112345678", "+494917112345678"],
  ["phone", "+12025550152", "+12025550153"],
  ["email", "ida.ray@example.com", "idaray@example.com"],
  ["email", "ida@example.com", "ida+test@example.com"],
  ["email", "ida@example.com", "idda@example.com"],
  ["email", "ida@example.com", "ida@exmaple.com"],
  ["phone", "+12025550152", "+12025505152"],
] as const)("a sign-up by %s near a user: %s, %s", async (strategy, known, sent) => {
  const appId = await newApp(strategy);
  expect((await auth("POST", PATH, { appId, user: { [strategy]: known } })).status).toBe(200);
  expect(of(await adviceNow(appId), "near_user")).toBeUndefined();
  expect((await auth("POST", PATH, { appId, user: { [strategy]: sent } })).status).toBe(200);
  expect(of(await adviceNow(appId), "near_user")).toMatchObject({ send: known });
});

test("of several addresses that mean the same, the user who was there first is named", async () => {
  const appId = await newApp("email");
  const [first, second] = ["idaray@example.com", "i.d.aray@example.com"];
  await auth("POST", PATH, { appId, user: { email: first } });
  for (const email of [second, "id.ar.ay@example.com"]) {
    await auth("POST", PATH, { appId, user: { email } });
    expect(of(await adviceNow(appId), "near_user")).toMatchObject({ send: first });
  }
  const [{ userId }] = (await control("GET", `/profiles?appId=${appId}&q=${first}`)).json.items;
  expect((await control("DELETE", `/profiles/${userId}?appId=${appId}`)).status).toBe(204);
  await auth("POST", PATH, { appId, user: { email: "ida.ra.y@example.com" } });
  expect(of(await adviceNow(appId), "near_user")).toMatchObject({ send: second });
});

test("numbers that are kept as others", async () => {
  const appId = await newApp("phone");
  const body = `{"appId":"${appId}","user":{"phone":"+12025550154"},"n":9007199254740993}`;
  await auth("POST", PATH, body, { "Content-Type": "application/json" });
  expect(of(await adviceNow(appId), "number_rounded")).toMatchObject({
    text: expect.stringContaining("9007199254740992"),
  });
});

test("a text of it is cut", async () => {
  const appId = await newApp("phone");
  await control("PATCH", `/apps/${appId}`, { settings: { validation: "lenient" } });
  await auth("POST", PATH, { appId, user: { phone: "+12025550157", name: "n".repeat(100_000) } });
  await auth("POST", PATH, { appId, user: { phone: "+12025550158" } });
  expect(of(await adviceNow(appId), "near_user")?.text).toHaveLength(BOUNDS.logAdviceLength.most + 1);
});

describe("what cannot be seen in a value: `send` works", () => {
  test.each([
    ["phone", " +12025550155", "blank_around"],
    ["phone", "\u200e+12025550155", "direction_mark"],
    ["phone", "+1202\u200b5550155", "zero_width"],
    ["phone", "＋12025550155", "full_width"],
    ["phone", "+١٢٠٢٥٥٥٠١٥٥", "other_digits"],
    ["email", " ida@example.com", "blank_around"],
    ["email", "ida @example.com", "blank_in_address"],
    ["email", "Ida <ida@example.com>", "name_in_address"],
    ["email", "ida@müller.example", "idn"],
    ["email", "ida@exam\u200bple.com", "zero_width"],
  ] as const)("the %s %j", async (strategy, value, code) => {
    const appId = await newApp(strategy);
    expect((await auth("POST", PATH, { appId, user: { [strategy]: value } })).status).toBe(422);
    const send = of(await adviceNow(appId), code)?.send;
    expect((await auth("POST", PATH, { appId, user: { [strategy]: send } })).status).toBe(200);
  });

  test("an address without a dot would have passed in a lenient app", async () => {
    const appId = await newApp("email");
    await auth("POST", PATH, { appId, user: { email: "ida@localhost" } });
    expect(of(await adviceNow(appId), "no_dot")).toMatchObject({ text: expect.stringContaining("lenient") });
  });

  test.each([
    [(code: string) => ` ${code}`, "blank_around"],
    [(code: string) => `Your code is ${code}.`, "more_around"],
    [(code: string) => `${code.slice(0, 3)}-${code.slice(3)}`, "more_around"],
  ])("the code %s", async (typed, name) => {
    const appId = await newApp("phone");
    const user = { phone: "+12025550156" };
    await auth("POST", PATH, { appId, user });
    await auth("POST", PATH, { appId, user });
    const [{ code }] = (await control("GET", `/passcodes?appId=${appId}`)).json.items;
    expect((await auth("PUT", PATH, { appId, user, passcode: typed(code) })).status).toBe(401);
    const send = of(await adviceNow(appId), name)?.send;
    expect((await auth("PUT", PATH, { appId, user, passcode: send })).status).toBe(200);
  });
});
