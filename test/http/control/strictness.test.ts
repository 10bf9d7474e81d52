/**
 * Strictness (CONTRACT 6): every key and parameter of the operation table, misspelt by one edit, is refused with the name
 * that was meant, and nothing changes; an app that is not there is 404 everywhere; a body's `appId` may be left out.
 */
import { describe, expect, test } from "vitest";
import { type Operation, routes } from "#contract/routes.ts";
import { namesIn } from "#contract/validation.ts";
import { stage } from "./support.ts";

const { control, app } = stage();
const ADA = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";

const OPERATIONS = Object.entries<Operation>(routes).filter(
  ([id, { listener }]) => listener === "console" && id !== "streamEvents",
);

/** One edit each: a letter left out, one doubled, two swapped, one in capitals or small. */
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

/** What is sent wrong: where, and how a right call would look but for it. */
const wrongCalls = OPERATIONS.flatMap(([id, operation]) => {
  const { method, query, body } = operation;
  const path = pathOf(operation);
  const wrong: { name: string; call: () => ReturnType<typeof control> }[] = [];
  const names = query === undefined ? [] : Object.keys(query.shape);
  for (const name of names)
    for (const bad of misspellings(name))
      if (!names.includes(bad))
        wrong.push({ name: bad, call: () => control(method, `${path}?${bad}=demo-app`, body && {}) });
  if (body === undefined) return wrong.map((one) => ({ id, ...one }));
  const knownIn = namesIn(body);
  for (const at of id === "createApp" || id === "updateApp"
    ? [[], ...SETTINGS.map((group) => ["settings", group])]
    : [[]]) {
    const known = knownIn(at);
    for (const name of known)
      for (const bad of misspellings(name)) {
        if (known.includes(bad)) continue;
        // Whose profile it is to be is asked first.
        const own = id === "addProfile" ? { appId: "demo-app", [bad]: 1 } : { [bad]: 1 };
        const sent = at.reduceRight<unknown>((inner, key) => ({ [key]: inner }), own);
        wrong.push({ name: [...at, bad].join("."), call: () => control(method, path, sent) });
      }
  }
  return wrong.map((one) => ({ id, ...one }));
});

test(`${wrongCalls.length} misspelt names are refused, and change nothing`, async () => {
  expect(wrongCalls.length).toBeGreaterThan(300);
  const before = await control("GET", "/status");
  for (const { id, name, call } of wrongCalls) {
    const refused = await call();
    expect([id, name, refused.status]).toEqual([id, name, 422]);
    expect(refused.json[name], `${id} ${name}`).toEqual([expect.stringMatching(/^is not known here/)]);
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
] as const)("%s %s names what was meant", async ([method, path, body, wrong, right]) => {
  expect((await control(method, path, body)).json[wrong]).toEqual([`is not known here; did you mean "${right}"?`]);
});

test("what a profile shows may be sent back, though only the service sets it", async () => {
  const shown = (await control("GET", `/profiles/${ADA}`)).json;
  expect((await control("PATCH", `/profiles/${ADA}`, shown)).status).toBe(200);
});

test("without a query of its own, a call takes no parameter", async () => {
  expect((await control("GET", "/status?verbose=1")).json).toEqual({ verbose: ["is not known here"] });
});

test("an app that is not there is 404 in every query, naming those that there are", async () => {
  for (const [id, operation] of OPERATIONS) {
    const { method, query, body } = operation;
    // An import may bring the app with it; a snapshot may have one that is gone.
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
  test("may be left out when only one app has the profile", async () => {
    await app();
    const sent = await control("POST", "/passcodes", { userId: ADA });
    expect([sent.status, sent.json.appId]).toEqual([201, "demo-app"]);
    expect((await control("POST", "/sessions", { userId: ADA })).json.appId).toBe("demo-app");
    expect((await control("POST", "/connections", { userId: ADA, name: "x" })).json.appId).toBe("demo-app");
  });

  test("is asked for when several apps are there and none has the profile", async () => {
    const refused = await control("POST", "/passcodes", { userId: "00000000-0000-4000-8000-000000000000" });
    expect([refused.status, refused.json]).toEqual([422, { appId: ["can't be blank"] }]);
    expect((await control("POST", "/profiles", { name: "x" })).json).toEqual({ appId: ["can't be blank"] });
  });

  test("may be left out when there is one app", async () => {
    const { items } = (await control("GET", "/apps")).json;
    for (const { appId } of items.slice(1)) await control("DELETE", `/apps/${appId}`);
    const made = await control("POST", "/profiles", { name: "Only" });
    expect([made.status, made.json.appId]).toEqual([201, items[0].appId]);
    expect((await control("POST", "/profiles/delete", { userIds: [made.json.userId] })).json).toEqual({ deleted: 1 });
  });
});
