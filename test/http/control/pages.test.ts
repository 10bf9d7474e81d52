/** Lists end by bytes as well as by number, and say where they go on. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { type Call, caller } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

const USERS = 12;
let server: RunningServer | undefined;
const control: Call = caller(() => `${server?.urls.console}/emulator/v1`);
const auth: Call = caller(() => server?.urls.auth ?? "");
const phone = (n: number) => `+1202555${String(1_000 + n)}`;

beforeAll(async () => {
  server = await startInProcess({ bounds: { pageBytes: 8 * 1_024 } });
  const message = { sms: `{code}${"{app}".repeat(15)}` };
  await control("POST", "/apps", { appId: "wide", name: "W".repeat(200), settings: { message } });
  for (let n = 0; n < USERS; n++) {
    const user = { phone: phone(n), name: `${n} ${"y".repeat(240)}` };
    const metadata = { note: "z".repeat(2_000) };
    await control("POST", "/profiles", { appId: "wide", ...user, metadata });
    await auth("POST", "/v1/users/session", { appId: "wide", user: { phone: phone(n) } });
    const { json } = await control("POST", "/sessions", { appId: "wide", to: phone(n) });
    await control("POST", `/sessions/${json.id}/expire`, {});
  }
});
afterAll(async () => await server?.close());

/** @returns the sizes of the pages of a list, and the ids in it. */
const pagesOf = async (path: string, key: string) => {
  const sizes: number[] = [];
  const ids: string[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    // biome-ignore lint/suspicious/noExplicitAny: as a client reads it
    const page: any = (await control("GET", path + after)).json;
    expect(page).toMatchObject({ total: USERS });
    sizes.push(page.items.length);
    ids.push(...page.items.map((item: Readonly<Record<string, string>>) => item[key]));
    after = page.next === undefined ? undefined : `&after=${page.next}`;
  }
  return { sizes, ids };
};

test.each([
  ["/passcodes?appId=wide", "id", 1],
  ["/passcodes?appId=wide&status=active", "id", 1],
  ["/profiles?appId=wide", "userId", 1],
  ["/profiles?appId=wide&sort=-name", "userId", 1],
  ["/sessions?appId=wide&limit=5", "id", 2],
  ["/requests?appId=wide&method=POST&limit=5", "id", 2],
])("all pages of %s are the whole list, once", async (path, key, least) => {
  const { sizes, ids } = await pagesOf(path, key);
  expect(sizes.length).toBeGreaterThan(least);
  expect([ids.length, new Set(ids).size]).toEqual([USERS, USERS]);
});

test.each(["passcodes", "profiles", "sessions", "requests"])("`after` of %s that is not there is 404", async (list) => {
  const reply = await control("GET", `/${list}?appId=wide&after=00000000-0000-4000-8000-000000000000`);
  expect(reply.status).toBe(404);
});

test("a request that is no longer in the log is 404, also as a bundle", async () => {
  const id = "00000000-0000-4000-8000-000000000000";
  for (const path of [`/requests/${id}`, `/requests/${id}/bundle`])
    expect((await control("GET", path)).status).toBe(404);
});

test("of a long list, users who are near are looked up for the first 100 rows, and of the others when they are read", async () => {
  const other = await startInProcess();
  const ask = caller(() => `${other.urls.console}/emulator/v1`);
  const sign = caller(() => other.urls.auth);
  await ask("POST", "/apps", { appId: "near", name: "Near" });
  const post = (number: string) => sign("POST", "/v1/users/session", { appId: "near", user: { phone: number } });
  await post("+12025550100");
  const id = (await post("+12025550101")).headers.get("Emulator-Request-Id");
  for (let n = 0; n < 100; n++) await post("no phone");
  const { items } = (await ask("GET", "/requests?appId=near&limit=200")).json;
  const place = items.findIndex((item: { id: string }) => item.id === id);
  expect([place, items[place]?.advice]).toEqual([100, []]);
  const codes = (await ask("GET", `/requests/${id}`)).json.advice.map(({ code }: { code: string }) => code);
  expect(codes).toContain("near_user");
  await other.close();
});
