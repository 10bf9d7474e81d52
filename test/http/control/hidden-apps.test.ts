/** An app for a show is in no list, count, export or coverage of all apps, only where it is named. */
import { expect, test } from "vitest";
import { openEvents } from "#test/http/events/event-stream.ts";
import { harness } from "./support.ts";

const at = harness();
const { control, auth } = at;
const LOGIN = "/v1/users/session";
const PHONE = "+12025550149";

test("a hidden app and all that it has is where it is named, and nowhere else", async () => {
  const read = async () => {
    const lists = ["apps", "profiles", "passcodes", "sessions", "connections", "requests", "faults", "timeline"];
    const totals = lists.map(async (list) => [list, (await control("GET", `/${list}`)).json.total]);
    const { counts } = (await control("GET", "/status")).json;
    const { apps: exported } = (await control("GET", "/state?volatile=1")).json;
    const { met, items } = (await control("GET", "/coverage")).json;
    const latest = (await control("GET", `/passcodes/latest?to=${encodeURIComponent(PHONE)}&status=any`)).status;
    const count = items.reduce((sum: number, item: { count: number }) => sum + item.count, 0);
    return { ...Object.fromEntries(await Promise.all(totals)), counts, exported, met, count, latest };
  };
  const before = await read();
  const made = await control("POST", "/apps", { appId: "for-a-show", hidden: true, ttlSeconds: 600 });
  expect(made.json).toMatchObject({ appId: "for-a-show", hidden: true });
  await control("POST", "/profiles", { appId: "for-a-show", phone: PHONE });
  await control("POST", "/faults", { match: { appId: "for-a-show" }, times: 1, effect: { delayMs: 1 } });
  const login = { appId: "for-a-show", user: { phone: PHONE } };
  expect((await auth("POST", LOGIN, login)).status).toBe(202);
  const { code } = (await control("GET", `/passcodes/latest?appId=for-a-show&to=%2B12025550149`)).json;
  expect((await auth("PUT", LOGIN, { ...login, passcode: `${code}0` })).status).toBe(401);
  expect((await auth("PUT", LOGIN, { ...login, passcode: code })).status).toBe(200);
  expect(await read()).toEqual(before);

  for (const list of ["profiles", "passcodes", "sessions", "faults"])
    expect((await control("GET", `/${list}?appId=for-a-show`)).json.total, list).toBe(1);
  expect((await control("GET", "/requests?appId=for-a-show")).json.total).toBe(3);
  expect((await control("GET", "/coverage?appId=for-a-show")).json.met).toBeGreaterThan(2);
  expect((await control("GET", "/state?appId=for-a-show")).json.apps).toHaveLength(1);
  expect((await control("GET", "/apps?hidden=1")).json.total).toBe(before["apps"] + 1);
  const [session] = (await control("GET", "/sessions?appId=for-a-show")).json.items;
  expect((await control("GET", `/sessions/${session.id}`)).status).toBe(200);

  // Merged from an export, it stays hidden; deleted, it leaves nothing.
  const { json } = await control("GET", "/state?appId=for-a-show");
  expect((await control("PUT", "/state", { mode: "merge", state: json })).status).toBe(200);
  expect((await control("GET", "/apps/for-a-show")).json.hidden).toBe(true);
  expect((await control("DELETE", "/apps/for-a-show")).status).toBe(204);
  const { timeline: _, ...after } = await read();
  const { timeline: __, ...first } = before;
  expect(after).toEqual(first);
});

test("its events are for readers that ask for hidden ones", async () => {
  const { appId: told } = await at.app();
  const seen = async (query: string): Promise<string[]> => {
    const appId = `show-${query.length}`;
    const stream = await openEvents(at.server.urls.console, {}, query);
    await control("POST", "/apps", { appId, hidden: true });
    await control("POST", "/profiles", { appId, phone: PHONE });
    await control("PATCH", `/apps/${told}`, { name: `Told ${query}` });
    await stream.next((event) => event.type === "app.put" && event.appId === told);
    stream.close();
    const numbers = [...stream.text().matchAll(/^id: .*-(\d+)$/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, nth) => (numbers[0] ?? 0) + nth));
    return stream.events
      .filter(({ appId: of }) => of !== null)
      .filter(({ type }) => type !== "request.put")
      .map(({ type, appId: of }) => `${type} ${of}`);
  };
  expect(await seen("")).toEqual([`app.put ${told}`]);
  expect(await seen("?hidden=1")).toEqual(["app.put show-9", "profile.put show-9", `app.put ${told}`]);
});
