/**
 * docs/fixtures.md and fixtures/team.jsonc: every file starts, its errors are the ones the page shows, and the editor
 * schema agrees.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readJson } from "#contract/words/json-text.ts";
import { filesIn } from "#test/client/examples.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

const inCheckout = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const page = await readFile(inCheckout("docs/fixtures.md"), "utf8");
const files = filesIn(page);
const team = await readFile(inCheckout("fixtures/team.jsonc"), "utf8");

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-page-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** @returns the apps of a start from a file, and its faults. */
const startedWith = async (file: string) => {
  const server = await startInProcess({ config: { fixtures: [file] } });
  try {
    const { control } = clientsOf(() => server);
    const [{ json: state }, { json: faults }] = [await control("GET", "/state"), await control("GET", "/faults")];
    const { json: status } = await control("GET", "/status");
    return {
      apps: state.apps,
      counts: status.counts,
      scenarios: faults.items.map((fault: { scenario: string }) => fault.scenario),
    };
  } finally {
    await server.close();
  }
};

test("the page has a file for each section", () => {
  expect(Object.keys(files)).toEqual([
    "users.jsonc",
    "standing.jsonc",
    "many.jsonc",
    "checkout.jsonc",
    "shop.jsonc",
    "failures.jsonc",
  ]);
});

test("users, generated users, an extending file and failures start as the page says", async () => {
  const users = await startedWith(join(dir, "users.jsonc"));
  await writeFile(join(dir, "users.csv"), /^Name,E-Mail,[\s\S]*?\n(?=```)/m.exec(page)?.[0] ?? "");
  expect((await startedWith(join(dir, "shop.jsonc"))).apps).toMatchObject([
    { appId: "shop", profiles: [{ name: "Ada Lovelace", testPasscode: "123456" }, { name: "Grace Hopper" }] },
  ]);
  expect(users.apps).toMatchObject([{ appId: "shop", profiles: [{ name: "Ada" }, { name: "Grace" }] }]);
  expect((await startedWith(join(dir, "standing.jsonc"))).counts).toMatchObject({
    ...{ profiles: 3, sessions: 4, passcodes: 1 },
  });
  expect((await startedWith(join(dir, "many.jsonc"))).apps[0].profiles).toHaveLength(50);
  expect((await startedWith(join(dir, "checkout.jsonc"))).apps).toMatchObject([
    {
      settings: { passcode: { length: 4 }, signUp: "closed" },
      profiles: [{ name: "Ada", metadata: { plan: "pro" } }, { name: "Grace" }, { name: "Only here" }],
      connections: [{ name: "Calendar" }],
    },
  ]);
  expect((await startedWith(join(dir, "failures.jsonc"))).scenarios).toEqual(["locked", "custom"]);
});

test("the page shows the real error messages of a start", async () => {
  const [, shown = ""] = /```text\n(users\.jsonc:[\s\S]*?)\n```/.exec(page) ?? [];
  const wrong = (files["users.jsonc"] ?? "")
    .replace('"phone": "+12025550100", "name"', '"phone": "12025550100", "nmae"')
    .replace('"user": "+12025550100"', '"user": "+12025550109"');
  await writeFile(join(dir, "users.jsonc"), wrong);
  const failed = startInProcess({ config: { fixtures: [join(dir, "users.jsonc")] } });
  await expect(failed).rejects.toThrow(shown.replaceAll("users.jsonc", join(dir, "users.jsonc")));
  await writeFile(join(dir, "users.jsonc"), files["users.jsonc"] ?? "");
});

test("the page shows what --watch prints for a changed and an added user", async () => {
  const [, shown = ""] = /```text\n(Fixtures reloaded:[\s\S]*?)\n```/.exec(page) ?? [];
  const file = join(dir, "watched.jsonc");
  await writeFile(file, files["users.jsonc"] ?? "");
  const log: string[] = [];
  const server = await startInProcess({ config: { fixtures: [file], watch: true }, log: (line) => log.push(line) });
  onTestFinished(() => server.close());
  const changed = (files["users.jsonc"] ?? "")
    .replace('"name": "Ada"', '"name": "Augusta", "scenario": "locked"')
    .replace('"createdAt": "-30d" }', '"createdAt": "-30d" }, { "phone": "+12025550103" }');
  await writeFile(file, changed);
  await expect.poll(() => log.join("\n")).toContain(shown);
});

test("fixtures/team.jsonc has the demo, a user for each scenario, and generated users", async () => {
  const { apps, scenarios } = await startedWith(inCheckout("fixtures/team.jsonc"));
  expect(apps.map((app: { appId: string; profiles: object[] }) => [app.appId, app.profiles.length])).toEqual([
    ["demo-app", 18],
    ["demo-mail", expect.any(Number)],
    ["shop", 52],
  ]);
  expect(scenarios).toEqual(["locked", "expiredCodes", "noDelivery", "slow", "serverError", "custom"]);
});

test("fixtures/schema.json accepts them all and rejects wrong phones, emails, times, scenarios and paths", async () => {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: { uuid: true, "date-time": true, date: true, email: true, e164: true, uri: true },
  });
  const validate = ajv.compile(JSON.parse(await readFile(inCheckout("fixtures/schema.json"), "utf8")));
  for (const text of [...Object.values(files), team]) {
    const read = readJson(text, { jsonc: true });
    expect("value" in read && validate(read.value), ajv.errorsText(validate.errors)).toBe(true);
  }
  const wrongAt = (world: object): (string | undefined)[] => {
    validate(world);
    return [...new Set(validate.errors?.map(({ instancePath }) => instancePath))];
  };
  const inProfile = (profile: object) => wrongAt({ apps: [{ appId: "a", profiles: [profile] }] });
  for (const [field, value] of Object.entries({
    phone: "0202",
    email: "nobody",
    createdAt: "-30 days",
    updatedAt: "2026-02-30T12:00",
    scenario: "lokced",
    testPasscode: "12",
    userId: 7,
  }))
    expect(inProfile({ [field]: value }), field).toContain(`/apps/0/profiles/0/${field}`);
  expect(wrongAt({ extends: "/etc/passwd" })).toContain("/extends");
  expect(wrongAt({ apps: [{ appId: "a", generate: { count: 0, locale: "xx" } }] })).toEqual([
    "/apps/0/generate/count",
    "/apps/0/generate/locale",
  ]);
  expect(wrongAt({})).not.toEqual([]);
});
