/** PUT state and users: who is new, changed and the same; few errors, however many there are. */
import { expect, test } from "vitest";
import { harness } from "#test/http/control/support.ts";

const { control, app } = harness();
const put = (appId: string, profiles: readonly object[], query = "users=1") =>
  control("PUT", `/state?${query}`, { mode: "merge", state: { apps: [{ appId, profiles }] } });
const stored = async (appId: string) => (await control("GET", `/profiles?appId=${appId}`)).json.items;

test("a second import of the same users changes nobody", async () => {
  const { appId } = await app();
  const users = [
    { phone: "+12025550131", name: "Ida", metadata: { a_b: 1 } },
    { phone: "+12025550132", createdAt: "2024-03-01T11:00:00.5+01:00" },
  ];
  expect((await put(appId, users, "users=1&dryRun=1")).json.users).toEqual({ new: 2, changed: 0, same: 0 });
  expect((await put(appId, users)).json.users).toEqual({ new: 2, changed: 0, same: 0 });
  const before = await stored(appId);
  expect(before).toMatchObject([{ name: "Ida" }, { createdAt: "2024-03-01T10:00:00.500Z" }]);
  expect((await put(appId, users)).json).toMatchObject({ profiles: 2, users: { new: 0, changed: 0, same: 2 } });
  expect(await stored(appId)).toEqual(before);
  const [first = {}, second = {}] = users;
  const changed = [{ ...first, name: "Ada" }, second, { phone: "+12025550133" }];
  expect((await put(appId, changed)).json.users).toEqual({ new: 1, changed: 1, same: 1 });
  expect(await put(appId, changed, "dryRun=0")).toMatchObject({ json: expect.not.objectContaining({ users: {} }) });
});

test("users without a username are met again by their other field, each once", async () => {
  const { appId } = await app();
  const users = [
    { email: "one@example.com", name: "A" },
    { email: "One@example.com", name: "B" },
    { email: "one@example.com", phone: "+12025550131", name: "C" },
  ];
  await put(appId, users);
  const before = await stored(appId);
  expect((await put(appId, users)).json.users).toEqual({ new: 0, changed: 0, same: 3 });
  expect(await stored(appId)).toEqual(before);
  // Who has signed up with a phone meanwhile is still the same.
  await control("PATCH", `/profiles/${before[0].userId}?appId=${appId}`, { phone: "+12025550139" });
  expect((await put(appId, users)).json.users).toEqual({ new: 0, changed: 0, same: 3 });
});

test.each([
  ["by form", (i: number) => ({ phone: i })],
  ["by the rules", (i: number) => ({ phone: `x${i}` })],
])("of a list that is wrong in every entry the first hundred are named, %s", async (_how, entry) => {
  const { appId } = await app();
  const { status, json } = await put(
    appId,
    Array.from({ length: 1_000 }, (_, i) => entry(i)),
  );
  expect([status, Object.keys(json).length]).toEqual([422, 101]);
  expect(json["apps[0].profiles"]).toEqual(["… and 900 more"]);
  expect(json["apps[0].profiles[99].phone"]).toHaveLength(1);
  expect(await stored(appId)).toEqual([]);
});

test("what is no world names the command that reads other lists", async () => {
  for (const state of [[{ email: "ida@example.com" }], { users: [{ email: "ida@example.com" }] }, "name,email"]) {
    const { status, json } = await control("PUT", "/state", { mode: "merge", state });
    expect([status, JSON.stringify(json)]).toEqual([422, expect.stringContaining("`stagedoor seed`")]);
  }
  expect((await control("PUT", "/state", { mode: "merge", state: { apps: [{}] } })).json).not.toHaveProperty("state");
});

test("nor is a body that is none: a list, a table, a world without its envelope", async () => {
  const named = expect.stringContaining("`stagedoor seed`");
  for (const body of [[{ email: "ida@example.com" }], { users: [] }, { apps: [] }]) {
    const { status, json } = await control("PUT", "/state", body);
    expect([status, JSON.stringify(json)]).toEqual([Array.isArray(body) ? 400 : 422, named]);
  }
  const table = await control("PUT", "/state", "name,email", { "Content-Type": "text/csv" });
  expect([table.status, table.json.instruction]).toEqual([415, named]);
  expect((await control("PUT", "/state", { mode: "merged", state: { apps: [] } })).text).not.toContain("seed");
});

/** So many keys of metadata, each with this value. */
const keys = (name: string, count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, value]));

test("rows of people are cut to what fits with the metadata that their user has; without `fit` they are refused", async () => {
  const { appId } = await app();
  const [ida, alan] = ["+12025550131", "+12025550132"];
  await put(appId, [{ phone: ida, metadata: keys("own", 48) }, { phone: alan }]);
  const rows = [
    { phone: ida, name: "Ida", metadata: { own0: 2, ...keys("more_of", 5) } },
    { phone: alan, metadata: keys("more_of", 5) },
  ];
  const strict = await put(appId, rows, "users=1");
  expect(strict).toMatchObject({ status: 422, json: { "apps[0].profiles[0].metadata": [expect.any(String)] } });
  const tried = await put(appId, rows, "users=1&fit=1&dryRun=1");
  expect(tried.json.users).toEqual({ new: 0, changed: 2, same: 0, cut: 1 });
  expect((await put(appId, rows, "users=1&fit=1")).json.users).toEqual({ new: 0, changed: 2, same: 0, cut: 1 });
  const [first, second] = await stored(appId);
  expect(first).toMatchObject({ name: "Ida", metadata: { ...keys("own", 48), own0: 2, moreOf0: 1, moreOf1: 1 } });
  expect(Object.keys(first.metadata)).toHaveLength(50);
  expect(second.metadata).toEqual(keys("moreOf", 5));
  // Again changes nothing.
  expect((await put(appId, rows, "users=1&fit=1")).json.users).toEqual({ new: 0, changed: 0, same: 2, cut: 1 });
});

test("what the user has is kept where the row's values are too large", async () => {
  const { appId } = await app();
  const phone = "+12025550131";
  await put(appId, [{ phone, metadata: keys("own", 15, "x".repeat(1_000)) }]);
  const row = { phone, metadata: { own0: "y".repeat(9_000), small: 1, large: "z".repeat(2_000) } };
  expect((await put(appId, [row], "users=1&fit=1")).json.users).toMatchObject({ changed: 1, cut: 1 });
  expect((await stored(appId))[0].metadata).toEqual({ ...keys("own", 15, "x".repeat(1_000)), small: 1 });
});

test("fixtures are as strict with `fit`: a profile that is new is not cut", async () => {
  const { appId } = await app();
  const refused = await put(appId, [{ phone: "+12025550131", metadata: keys("own", 51) }], "fit=1");
  expect(refused.status).toBe(422);
});
