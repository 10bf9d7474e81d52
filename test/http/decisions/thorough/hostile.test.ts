/** Never HTML, a stack trace or a 5xx for what a client sent, and the next harmless write always works. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Reply } from "#test/hosts/client.ts";
import { harness, PHONE, type RawReply, raw, SESSION } from "../support.ts";

const logged: string[] = [];
const { app: newApp, auth, server } = harness({ log: (line) => logged.push(line) });
/** A fixed seed, so that a failure can be repeated anywhere. */
const RUNS = { numRuns: 100, seed: 20_261_120, endOnFailure: true };

const key = fc.oneof(
  fc.constantFrom(
    ...["name", "phone", "email", "metadata", "appId", "user", "passcode", "session", "userId", "id"],
    ...[
      "__proto__",
      "constructor",
      "prototype",
      "toString",
      "toJSON",
      "hasOwnProperty",
      "then",
      "a_b",
      "aB",
      "",
      "\0",
      "\ud800",
    ],
  ),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    "",
    PHONE,
    "ada@example.com",
    "123456",
    "demo-app",
    1e308,
    -0,
    5e-324,
    "\0",
    "\udfff",
    "🌸",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.double(),
  fc.integer(),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "medium", withCrossShrink: true }, leaf, tie("list"), tie("object")),
  list: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.array(fc.tuple(key, tie("value")), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
}));
const object = fc.array(fc.tuple(key, value), { maxLength: 8 }).map((entries) => Object.fromEntries(entries));

const expectCivil = (reply: Reply, allowed: readonly number[]): void => {
  expect(allowed).toContain(reply.status);
  expect(reply.text).not.toMatch(/^\s*</);
  if (reply.text !== "") expect(reply.json).toBeTypeOf("object");
  expect({}).not.toHaveProperty("name");
};
const expectCivilRaw = ({ status, headers, text }: RawReply): void => {
  expect(status).toBeLessThan(500);
  if (text !== "") expect(headers["content-type"]).toMatch(/^application\/json/);
};

describe("random JSON never causes a 5xx", () => {
  test("in POST and PUT of a profile", async () => {
    const { admin } = await newApp();
    const path = `/v1/profiles/${(await admin("POST", "/v1/profiles", {})).json.userId}`;
    const innocent = `/v1/profiles/${(await admin("POST", "/v1/profiles", {})).json.userId}`;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(object, fc.record({ metadata: object, name: leaf }, { requiredKeys: [] })),
        async (body) => {
          expectCivil(await admin("POST", "/v1/profiles", body), [201, 422]);
          expectCivil(await admin("PUT", path, body), [200, 422]);
          expect((await admin("PUT", innocent, { metadata: { n: 1 } })).status).toBe(200);
        },
      ),
      RUNS,
    );
    expect((await admin("GET", "/v1/profiles?limit=100")).status).toBe(200);
  });

  test("in POST and PUT of a session, in two shapes", async () => {
    const plain = await newApp();
    const older = await newApp({
      settings: { wire: { envelope: "session", appIdField: "clientId", userField: null } },
    });
    await fc.assert(
      fc.asyncProperty(object, value, async (user, passcode) => {
        for (const body of [
          { appId: plain.appId, user, passcode },
          { session: { ...user, clientId: older.appId, passcode } },
          { ...user, passcode },
        ]) {
          expectCivil(await auth("POST", SESSION, body), [200, 202, 400, 401, 422]);
          expectCivil(await auth("PUT", SESSION, body), [400, 401, 422]);
        }
        expect([200, 202]).toContain((await plain.start({ phone: PHONE })).status);
      }),
      { ...RUNS, numRuns: 50 },
    );
  });
});

describe("random bytes never cause a 5xx", () => {
  test("as a body", async () => {
    const { secret } = await newApp();
    const headers = ["Content-Type", "application/json", "Authorization", `Bearer ${secret}`];
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 60 }).map((array) => Buffer.from(array)),
      fc.tuple(object, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([body, at, byte]) => {
        const text = Buffer.from(JSON.stringify(body));
        text[at % text.length] = byte;
        return text;
      }),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        expectCivilRaw(await raw(`${server().urls.admin}/v1/profiles`, { headers, body }));
        expectCivilRaw(await raw(server().urls.auth + SESSION, { headers, body }));
      }),
      RUNS,
    );
  });

  test("as a path and a query", async () => {
    const { secret } = await newApp();
    const headers = ["Authorization", `Bearer ${secret}`];
    const piece = fc.oneof(
      fc.constantFrom(
        "..",
        "%2e%2e",
        "%2f",
        "%00",
        "%",
        "%ff",
        "v1",
        "profiles",
        "users",
        "?",
        "&",
        "=",
        "page",
        "limit",
        ";",
        "//",
      ),
      fc.string({ maxLength: 5 }).map((text) => text.replace(/[^!"$-~]/g, "")),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 6 }),
        fc.constantFrom("GET", "PUT", "DELETE"),
        async (pieces, method) => {
          for (const base of [`${server().urls.admin}/v1/profiles`, server().urls.auth])
            expectCivilRaw(await raw(`${base}/${pieces.join("/")}`, { method, headers }));
        },
      ),
      RUNS,
    );
  });
});

test("no hostile request was logged as a defect", () => {
  expect(logged).toEqual([]);
});
