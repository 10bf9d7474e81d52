/**
 * Strictness: every key and parameter of the operation table, misspelt by one edit, is rejected with the
 * intended name, and nothing changes; an unknown app returns 404 everywhere; a body's `appId` is optional.
 */
import { describe, expect, test } from "vitest";
import { type Operation, routes } from "#contract/control/routes.ts";
import { namesIn } from "#contract/validation.ts";
import { harness } from "./support.ts";

const { control, app } = harness();
const ADA = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";

const OPERATIONS = Object.entries<Operation>(routes).filter(([, { listener }]) => listener === "console");

/** One edit each: a letter omitted, doubled, swapped with the next, or changed in case. */
const misspellings = (name: string): readonly string[] => {
  const middle = Math.floor(name.length / 2);
  const [a = "", b = ""] = [name[middle - 1], name[middle]];
  return [
    name.slice(0, -1),
    name.slice(0, middle) + b + name.slice(middle),
    name.slice(0, middle - 1) + b + a + name.slice(middle + 1),
    a === a.toUpperCase() ? name.toLowerCase() : name.slice(0, middle - 1) + a.toUpperCase() + name.slice(middle),
  ];
};

const pathOf = ({ path }: Operation): string =>
  path.replace("/emulator/v1", "").replace(":appId", "demo-app").replace(":userId", ADA).replace(/:\w+/, "some");

const SETTINGS = ["passcode", "session", "wire", "limits", "message", "delivery", "brand", "deterministic"];

/** A wrong call: where the mistake is, and the otherwise correct request. */
const wrongCalls = OPERATIONS.flatMap(([id, operation]) => {
  const { method, query, body } = operation;
  const path = pathOf(operation);
  const wrong: { name: string; call: () => ReturnType<typeof control> }[] = [];
  const names = query === undefined ? [] : Object.keys(query.shape);
  if (query === undefined)
    wrong.push({ name: "unknown", call: () => control(method, `${path}?unknown=1`, body && {}) });
  for (const name of names)
    for (const bad of misspellings(name))
      if (!names.includes(bad))
        wrong.push({ name: bad, call: () => control(method, `${path}?${bad}=demo-app`, body && {}) });
  if (body === undefined) {
    if (method !== "GET") wrong.push({ name: "unknown", call: () => control(method, path, { unknown: 1 }) });
    return wrong.map((one) => ({ id, ...one }));
  }
  const knownIn = namesIn(body);
  for (const at of id === "createApp" || id === "updateApp"
    ? [[], ...SETTINGS.map((group) => ["settings", group])]
    : [[]]) {
    const known = knownIn(at);
    for (const name of known)
      for (const bad of misspellings(name)) {
        if (known.includes(bad)) continue;
        // The profile's app is checked first.
        const own = id === "addProfile" || id === "provideProfile" ? { appId: "demo-app", [bad]: 1 } : { [bad]: 1 };
        const sent = at.reduceRight<unknown>((inner, key) => ({ [key]: inner }), own);
        wrong.push({ name: [...at, bad].join("."), call: () => control(method, path, sent) });
      }
  }
  return wrong.map((one) => ({ id, ...one }));
});

test(`${wrongCalls.length} misspelt names are rejected and change nothing`, async () => {
  expect(wrongCalls.length).toBeGreaterThan(300);
  const before = await control("GET", "/status");
  for (const { id, name, call } of wrongCalls) {
    const refused = await call();
    expect([id, name, refused.status]).toEqual([id, name, 422]);
    expect(refused.json[name], `${id} ${name}`).toEqual([expect.stringMatching(/^is unknown/)]);
  }
  expect((await control("GET", "/status")).json.seq).toBe(before.json.seq);
});

test.for([
  ["DELETE", "/state?appid=demo-mail", undefined, "appid", "appId"],
  ["DELETE", "/sessions?appid=demo-app", undefined, "appid", "appId"],
  ["POST", "/clock/advance?appid=demo-app", { seconds: 1 }, "appid", "appId"],
  ["POST", "/sessions", { userId: ADA, ttl: 5 }, "ttl", "ttlSeconds"],
  ["POST", "/profiles", { appId: "demo-app", testPasscod: "1234" }, "testPasscod", "testPasscode"],
  ["PUT", "/clock", { offsetSecond: 1 }, "offsetSecond", "offsetSeconds"],
  ["POST", "/faults", { efect: { drop: true } }, "efect", "effect"],
] as const)("%s %s names the intended field", async ([method, path, body, wrong, right]) => {
  expect((await control(method, path, body)).json[wrong]).toEqual([`is unknown; did you mean "${right}"?`]);
});

test("a profile can be sent back as shown, although only the service sets some of its fields", async () => {
  const shown = (await control("GET", `/profiles/${ADA}`)).json;
  expect((await control("PATCH", `/profiles/${ADA}`, shown)).status).toBe(200);
});

test("a call without query parameters accepts none", async () => {
  expect((await control("GET", "/status?verbose=1")).json).toEqual({ verbose: ["is unknown"] });
});

test("an unknown app in a query returns 404 and lists the existing ones", async () => {
  for (const [id, operation] of OPERATIONS) {
    const { method, query, body } = operation;
    // An import can contain the app; a snapshot can have a deleted one.
    if (query?.shape["appId"] === undefined || id === "writeState" || id.endsWith("Snapshot")) continue;
    const sent = id === "advanceClock" ? { seconds: 1 } : {};
    const refused = await control(method, `${pathOf(operation)}?appId=ghost`, body && sent);
    expect([id, refused.status, refused.json.instruction]).toEqual([
      id,
      404,
      expect.stringContaining('No app "ghost". Apps: demo-app'),
    ]);
  }
});

describe("a body's appId", () => {
  test("is optional if only one app has the profile", async () => {
    await app();
    const sent = await control("POST", "/passcodes", { userId: ADA });
    expect([sent.status, sent.json.appId]).toEqual([201, "demo-app"]);
    expect((await control("POST", "/sessions", { userId: ADA })).json.appId).toBe("demo-app");
    expect((await control("POST", "/connections", { userId: ADA, name: "x" })).json.appId).toBe("demo-app");
  });

  test("is required if there are several apps and none has the profile", async () => {
    const refused = await control("POST", "/passcodes", { userId: "00000000-0000-4000-8000-000000000000" });
    expect([refused.status, refused.json]).toEqual([422, { appId: ["can't be blank"] }]);
    expect((await control("POST", "/profiles", { name: "x" })).json).toEqual({ appId: ["can't be blank"] });
  });

  test("is optional if there is only one app", async () => {
    const { items } = (await control("GET", "/apps")).json;
    for (const { appId } of items.slice(1)) await control("DELETE", `/apps/${appId}`);
    const made = await control("POST", "/profiles", { name: "Only" });
    expect([made.status, made.json.appId]).toEqual([201, items[0].appId]);
    expect((await control("POST", "/profiles/delete", { userIds: [made.json.userId] })).json).toEqual({ deleted: 1 });
  });
});
