/** `seed` with users from elsewhere: what it prints, and that a second run changes nobody. */
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { freshPath, PROGRAM, run, SCRIPT, type Started, send, start } from "./support.ts";

let server: Started;
beforeAll(async () => {
  server = await start(["--json", "--data", freshPath()]);
});
const emulator = () => connect(server.ready.consoleUrl);
const there = (): string[] => ["--url", server.ready.consoleUrl];
let made = 0;
const newApp = async (strategy: "email" | "phone" = "email"): Promise<string> => {
  const appId = `own-${++made}`;
  await emulator().apps.create({ appId, strategy });
  return appId;
};
const profiles = async (appId: string) => (await emulator().profiles.list({ appId })).items;
const file = async (name: string, text: string): Promise<string> => {
  const path = freshPath(name);
  await writeFile(path, text);
  return path;
};

const EXPORTS = join(import.meta.dirname, "../people/exports");
describe("a file of other tools", () => {
  test.each(readdirSync(EXPORTS).filter((name) => /clerk|cognito|unicode|scim|contacts/.test(name)))(
    "%s goes in as it is, and changes nobody the second time",
    async (name) => {
      const appId = await newApp();
      const seed = () => run(["seed", join(EXPORTS, name), "--app", appId, "--json", ...there()]);
      const first = JSON.parse((await seed()).out);
      expect(first.users).toEqual({ new: 2, changed: 0, same: 0 });
      const before = await profiles(appId);
      expect(before).toMatchObject([{ email: "ida@example.com" }, { email: "alan@example.com" }]);
      expect(JSON.parse((await seed()).out).users).toEqual({ new: 0, changed: 0, same: 2 });
      expect(await profiles(appId)).toEqual(before);
    },
  );
});

const CSV = "Full name,E-Mail,Plan,password\nIda,ida@example.com,pro,XSECRETX\nAl,al@example.com,,XSECRETX\n";

test("a dry run shows columns, examples and users, a run three lines; no secret in either", async () => {
  const appId = await newApp();
  const csv = await file("own.csv", CSV);
  const dry = await run(["seed", csv, "--app", appId, "--dry-run", ...there()]);
  expect(dry.out.replace(csv, "own.csv").split("\n")).toEqual(
    [
      "own.csv: CSV, 2 rows",
      "  Full name  → name                          Ida              2 of 2",
      "  E-Mail     → email                         ida@example.com  2 of 2",
      "  Plan       → metadata.Plan                 pro              1 of 2",
      "  password   → left out: looks like a secret                   2 of 2",
      "  As they will be stored:",
      '    {"name":"Ida","email":"ida@example.com","metadata":{"Plan":"pro"}}',
      '    {"name":"Al","email":"al@example.com"}',
      "",
    ].map((line) => expect.stringMatching(line.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/ {3,}/g, " +"))),
  );
  expect(dry.err).toBe("Valid: 2 profiles for 1 app: 2 new, 0 updated, 0 unchanged. Nothing was changed.\n");
  const run1 = await run(["seed", csv, "--app", appId, ...there()]);
  expect(run1.err.replace(csv, "own.csv").split("\n")).toEqual([
    "own.csv: CSV, 2 rows: Full name → name, E-Mail → email; metadata: Plan; left out: password",
    "Imported 2 profiles into 1 app: 2 new, 0 updated, 0 unchanged.",
    "",
  ]);
  expect(dry.out + dry.err + run1.err).not.toContain("XSECRETX");
  await writeFile(csv, CSV.replace("pro", "free"));
  expect((await run(["seed", csv, "--app", appId, ...there()])).err).toContain("0 new, 1 updated, 1 unchanged.");
});

test("two files with one number and two extensions are refused; signin and passcode read a number as files do", async () => {
  const appId = await newApp("phone");
  const files = await Promise.all(
    [1, 2].map((n) => file(`ext-${n}.csv`, `name,phone\nUser ${n},+1 202 555 0171 x${n}\n`)),
  );
  const both = await run(["seed", ...files, "--app", appId, ...there()]);
  expect([both.status, both.err]).toEqual([1, expect.stringMatching(/ext-2\.csv:2: phone: has already been taken/)]);
  for (const typed of ["491701234567", "491701234567.0", "+49 170 1234567 x5"])
    expect((await run(["signin", typed, "--app", appId, ...there()])).status).toBe(0);
  const [user, ...others] = await profiles(appId);
  expect([user?.phone, others]).toEqual(["+491701234567", []]);
  await emulator().passcodes.send({ appId, userId: user?.userId ?? "" });
  expect((await run(["passcode", "491701234567", "--app", appId, ...there()])).out).toMatch(/^\d{6}\n$/);
  expect((await run(["signin", "0170 1234567", "--app", appId, ...there()])).err).toContain("E.164");
});

test("--map, --rest and --country say what becomes of columns and numbers", async () => {
  const appId = await newApp("phone");
  const csv = await file("own.csv", "Contact,No,Level\nIda,(202) 555-0121,7\n");
  const seed = (...more: string[]) => run(["seed", csv, "--app", appId, ...more, ...there()]);
  const bare = await seed("--map", "No=phone", "--map", "contact=name");
  expect([bare.status, bare.err]).toEqual([
    1,
    expect.stringMatching(/2: phone: has no country code \(found "\(202\) 555-0121"\)\n.*such as --country US\.\n/),
  ]);
  expect(await seed("--map", "No=fone")).toMatchObject({
    status: 2,
    err: expect.stringContaining('"fone" is not a field'),
  });
  expect(await seed("--map", "No=phone", "--map", "contact=name", "--rest", "drop", "--country", "US")).toMatchObject({
    status: 0,
  });
  expect(await profiles(appId)).toMatchObject([{ name: "Ida", phone: "+12025550121", metadata: null }]);
});

test("users without the app's username are counted, and met again by the other field", async () => {
  const appId = await newApp("phone");
  const csv = await file(
    "own.csv",
    "name,email,phone\nIda,ida@example.com,\nTwin,ida@example.com,\nAl,al@example.com,+12025550121\n",
  );
  const seed = () => run(["seed", csv, "--app", appId, ...there()]);
  expect((await seed()).err).toContain("2 of 3 users have no phone, by which users of this app sign in.");
  const before = await profiles(appId);
  expect((await seed()).err).toContain("Nothing to import: all 3 profiles are there already.");
  expect(await profiles(appId)).toEqual(before);
});

test("a file that is wrong in every row gets five errors of a kind, and how many more there are", async () => {
  const appId = await newApp();
  const rows = Array.from({ length: 3_000 }, (_, i) => `User ${i},x${i}`).join("\n");
  const csv = await file("own.csv", `name,email\n${rows}\n`);
  const { status, err } = await run(["seed", csv, "--app", appId, ...there()]);
  const lines = err.trimEnd().split("\n");
  expect([status, lines.length]).toEqual([1, 7]);
  expect(lines.slice(-3)).toEqual([
    `${csv}:6: email: must be an email address (found "x4")`,
    `${csv}: and 2,995 rows more: email must be an email address`,
    "Nothing was changed.",
  ]);
});

test("a text that is none is refused in one sentence", async () => {
  const appId = await newApp();
  const text = await file("letter.txt", "Dear Ada, all is well.\nYours\n");
  expect((await run(["seed", text, "--app", appId, ...there()])).err).toBe(
    `${text} is not a file that Stagedoor reads: fixtures, a list of users as JSON or NDJSON, or CSV with a column such as name, email or phone.\nNothing was changed.\n`,
  );
});

describe("start and exec take the file as it is", () => {
  const TEXT = "Contact,No,Level,testPasscode\nIda,(202) 555-0121,7,123456\n";
  const COLUMNS = ["--map", "No=phone", "--map", "contact=name", "--rest", "drop"];

  test("start signs its users in by phone, and reads it the same way for a reset", async () => {
    const csv = await file("own.csv", TEXT);
    const { ready, stop } = await start(["--json", "--ephemeral", "--fixtures", csv, ...COLUMNS, "--country", "us"]);
    const stored = async () => (await connect(ready.consoleUrl).profiles.list({ appId: "demo-app" })).items;
    const ida = { name: "Ida", phone: "+12025550121", metadata: null, testPasscode: "123456" };
    expect(await stored()).toMatchObject([ida]);
    const user = { appId: "demo-app", user: { phone: ida.phone } };
    expect((await send("POST", `${ready.authUrl}/v1/users/session`, user)).status).toBe(202);
    const typed = { ...user, passcode: ida.testPasscode };
    expect((await send("PUT", `${ready.authUrl}/v1/users/session`, typed)).status).toBe(200);
    await connect(ready.consoleUrl).state.reset();
    expect(await stored()).toMatchObject([ida]);
    await stop();
  });

  test("exec does, by options or variables; without the country it says which option is missing", async () => {
    const csv = await file("own.csv", TEXT);
    const list = ["--", PROGRAM, ...SCRIPT, "export"];
    const shown = async (ended: Promise<{ out: string }>) => JSON.parse((await ended).out).apps[0].profiles;
    const ida = { name: "Ida", phone: "+12025550121", metadata: null };
    expect(await shown(run(["exec", "--fixtures", csv, ...COLUMNS, "--country", "US", ...list]))).toMatchObject([ida]);
    const env = { STAGEDOOR_MAP: "No=phone;contact=name;Level=metadata.level", STAGEDOOR_COUNTRY: "US" };
    expect(await shown(run(["exec", "--fixtures", csv, ...list], { env }))).toMatchObject([
      { ...ida, metadata: { level: "7" } },
    ]);
    expect(await run(["exec", "--fixtures", csv, "--map", "No=phone", ...list])).toMatchObject({
      status: 1,
      err: expect.stringContaining("2: phone: has no country code"),
    });
    for (const [option, value] of [
      ["--map", "phone"],
      ["--rest", "some"],
      ["--country", "USA"],
    ] as const)
      expect((await run(["exec", "--fixtures", csv, option, value, ...list])).status).toBe(2);
  });
});

test("a row for a user who has metadata is cut to what fits, with a notice; a fixture's is refused", async () => {
  const appId = await newApp();
  const keys = (name: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, "1"]));
  await emulator().profiles.create({ appId, email: "ida@example.com", metadata: keys("own", 48) });
  const more = keys("more", 5);
  const header = `email,name,${Object.keys(more).join(",")}`;
  const csv = await file("more.csv", `${header}\nida@example.com,Ida,1,1,1,1,1\nal@example.com,Al,1,1,1,1,1\n`);
  const seeded = await run(["seed", csv, "--app", appId, ...there()]);
  expect(seeded).toMatchObject({
    status: 0,
    err: expect.stringMatching(
      /\nMetadata of 1 existing user is cut to 50 keys and 16 KiB\.\nImported 2 profiles into 1 app: 1 new, 1 updated, 0 unchanged\.\n$/,
    ),
  });
  const [al, ida] = (await profiles(appId)).toSorted((a, b) => String(a.email).localeCompare(String(b.email)));
  expect([al?.metadata, ida?.name]).toEqual([more, "Ida"]);
  expect(ida?.metadata).toEqual({ ...keys("own", 48), more0: "1", more1: "1" });
  const world = { apps: [{ appId, profiles: [{ email: "ida@example.com", metadata: more }] }] };
  const strict = await run(["seed", await file("more.json", JSON.stringify(world)), ...there()]);
  expect(strict).toMatchObject({ status: 1, err: expect.stringContaining("has too many keys (at most 50)") });
});
