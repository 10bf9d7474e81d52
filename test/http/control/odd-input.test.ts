import { expect, test } from "vitest";
import { harness, NOBODY, UUID } from "./support.ts";

const at = harness();
const { control, admin, app } = at;

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
/** Values of other types than expected, as JSON text. */
const VALUES = [
  "null",
  "true",
  "-1",
  "1.5",
  "1e999",
  "9007199254740993",
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"🌸"',
  `"${"x".repeat(5_000)}"`,
  `"${NOBODY}"`,
  '"demo-app"',
  '"__proto__"',
  '"2026-01-01T00:00:00.000Z"',
  '"9999-12-31T23:59:59.999Z"',
  "[]",
  "[null]",
  `["${NOBODY}"]`,
  "{}",
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  deep(20),
];
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "POST /apps": ["appId", "name", "secret", "strategy", "settings", "__proto__"],
  "PATCH /apps/victim": ["name", "secret", "strategy", "settings", "appId"],
  "POST /profiles": ["appId", "name", "phone", "email", "metadata", "testPasscode", "userId"],
  "PATCH /profiles/:userId": ["name", "phone", "email", "metadata", "testPasscode", "createdAt"],
  "POST /profiles/delete": ["appId", "userIds"],
  "POST /passcodes": ["appId", "userId"],
  "POST /sessions": ["appId", "userId", "ttlSeconds"],
  "POST /sessions/introspect": ["token"],
  "POST /connections": ["appId", "userId", "name", "managed"],
  "PATCH /connections/:id": ["name", "managed", "status"],
  "PUT /clock?appId=victim": ["offsetSeconds", "frozenAt"],
  "POST /clock/advance?appId=victim": ["seconds"],
  "PUT /state?dryRun=1": ["mode", "state"],
};

// A test each, because all of them take long on a busy machine.
test.each(Object.entries(FIELDS))(
  "no input of %s causes a 5xx or HTML, and the next harmless write works",
  async (call, fields) => {
    const { profile, appId } = await app();
    const { userId, phone } = await profile();
    const { id } = (await control("POST", "/connections", { appId, userId, name: "Bank" })).json;
    const good: Readonly<Record<string, unknown>> = { appId, userId, name: "x", mode: "merge" };
    const state = { version: 1, apps: [{ appId }] };
    const bad: string[] = [];
    const place = call.replace("victim", appId).replace(":userId", userId).replace(":id", id);
    const [method = "", path = ""] = place.split(" ");
    const bodies = fields.flatMap((field) =>
      VALUES.map((value) => {
        const others = fields
          .filter((other) => other !== field && (other in good || other === "state"))
          .map((other) => `${JSON.stringify(other)}:${JSON.stringify(other === "state" ? state : good[other])}`);
        return `{${[...others, `${JSON.stringify(field)}:${value}`].join(",")}}`;
      }),
    );
    for (const body of [...bodies, ...VALUES]) {
      const reply = await control(method, path, body);
      const html = !/json/.test(reply.headers.get("Content-Type") ?? "json");
      if (reply.status >= 500 || html) bad.push(`${call} ${body.slice(0, 80)} → ${reply.status} ${reply.text}`);
    }
    expect(bad).toEqual([]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect((await control("GET", "/state")).status).toBe(200);
    expect((await control("GET", `/profiles/${userId}`)).status).toBe(200);
    expect((await admin("POST", "/v1/profiles", { name: "innocent" })).json.userId).toMatch(UUID);
    expect(phone).toMatch(/^\+/);
  },
);

test.each([
  "profiles",
  "passcodes",
  "passcodes/latest",
  "sessions",
  "connections",
  "requests",
  "state",
  "clock",
  "apps/x",
  "profiles/x",
  "sessions/x/token",
  "requests/x",
])("GET %s with odd parameters is no 5xx", async (path) => {
  for (const name of ["appId", "userId", "q", "to", "status", "limit", "page", "sort", "after", "volatile", "path"])
    for (const value of [
      "",
      "%00",
      "%ff",
      "%F0%9F%8C%B8",
      "__proto__",
      "1e9",
      "-0",
      "a&b",
      "+",
      "[]",
      NOBODY,
      "x".repeat(3_000),
    ]) {
      const { status } = await control("GET", `/${path}?${name}=${value}`);
      expect([200, 404, 422], `${name}=${value} → ${status}`).toContain(status);
    }
});
