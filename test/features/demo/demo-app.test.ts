import { expect, test } from "vitest";
import { DEMO_TEXTS } from "#contract/service/demo-texts.ts";
import { harness } from "#test/http/control/support.ts";

const { app, auth, control } = harness();
const read = (appId: string) => auth("GET", `/emulator/app?appId=${encodeURIComponent(appId)}`);
const PNG = `data:image/png;base64,${Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).toString("base64")}`;

test("returns what the demo app needs to know about an app, and nothing more", async () => {
  const { appId } = await app({
    name: "Front Row",
    strategy: "email",
    settings: { passcode: { length: 4 }, wire: { envelope: "session" }, brand: { color: "#1b6e3c", logo: PNG } },
  });
  expect((await read(appId)).json).toEqual({
    texts: DEMO_TEXTS,
    sessionExtensions: false,
    name: "Front Row",
    strategy: "email",
    passcodeLength: 4,
    wire: {
      envelope: "session",
      appIdField: "appId",
      userField: "user",
      passcodeField: "passcode",
      signUpStatus: 200,
      authenticateStatus: 200,
    },
    brand: { name: null, color: "#1b6e3c", logo: PNG },
  });
  await control("PATCH", `/apps/${appId}`, {
    settings: { "passcode.length": 8, "passcode.fixed": "12345678", "brand.name": "Row" },
  });
  expect((await read(appId)).json).toMatchObject({ passcodeLength: 8, brand: { name: "Row" } });
});

test("returns 404 for an unknown app without naming others, and 422 without an app", async () => {
  const unknown = await read("ghost");
  expect([unknown.status, unknown.text]).toEqual([404, expect.not.stringContaining("demo-app")]);
  const missing = await auth("GET", "/emulator/app");
  expect([missing.status, missing.json]).toEqual([422, { appId: ["can't be blank"] }]);
});

const bytes = (...start: number[]) => Buffer.from([...start, ...Array<number>(12).fill(0)]).toString("base64");
const WEBP = Buffer.from("RIFF\u0010\u0000\u0000\u0000WEBPVP8 ", "latin1").toString("base64");
test.each([
  ["PNG", PNG, 201],
  ["JPEG", `data:image/jpeg;base64,${bytes(0xff, 0xd8, 0xff)}`, 201],
  ["WebP", `data:image/webp;base64,${WEBP}`, 201],
  ["a JPEG declared as PNG", `data:image/png;base64,${bytes(0xff, 0xd8, 0xff)}`, 422],
  ["SVG", "data:image/svg+xml;base64,PHN2Zy8+", 422],
  ["from another site", "https://example.com/logo.png", 422],
  ["more than 64 KiB", `${PNG}${"A".repeat(65_536)}`, 422],
])("rejects a logo: %s", async (_name, logo, status) => {
  expect((await control("POST", "/apps", { settings: { brand: { logo } } })).status).toBe(status);
});

test.each(["green", "#abc", "#1b6e3c; x", "url(x)"])("rejects a color that is not #rrggbb: %s", async (color) => {
  expect((await control("POST", "/apps", { settings: { brand: { color } } })).status).toBe(422);
});

test("a limit of the app does not count what the demo app reads of it", async () => {
  const { appId } = await app({ settings: { limits: { requestsPerMinute: 1 } } });
  for (const _ of [1, 2, 3]) expect((await read(appId)).status).toBe(200);
  const ask = () => auth("POST", "/v1/users/session", { appId, user: { phone: "+12025550199" } });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
});

test("a logo may have just 64 KiB as a data: URL", async () => {
  const logo = PNG.padEnd(65_536, "A");
  expect((await control("POST", "/apps", { settings: { brand: { logo } } })).status).toBe(201);
  expect((await control("POST", "/apps", { settings: { brand: { logo: `${logo}A` } } })).status).toBe(422);
});
