/** `stagedoor init`: what it writes for a project, what it leaves alone, and that the file it wrote is taken. */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { freshPath, runAlone } from "#test/cli/support.ts";
import { CHECKOUT } from "#test/client/installed.ts";
import pkg from "../../../../package.json" with { type: "json" };

const FILE = "stagedoor.fixtures.jsonc";
const START = `stagedoor start --ephemeral --fixtures ${FILE} --watch`;

/** @returns a folder with these files. */
const project = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = freshPath("project");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

const read = (folder: string, name = FILE): string => readFileSync(join(folder, name), "utf8");

const init = (cwd: string, ...args: readonly string[]) => runAlone(["init", ...args], { cwd });

/** @returns what `exec` says about the users of the written file, and the status of its command. */
const taken = async (cwd: string) => {
  const script =
    "fetch(process.env.STAGEDOOR_CONSOLE_URL+'/emulator/v1/state').then(r=>r.json()).then(s=>console.log(s.apps.map(a=>[a.appId,a.secret,a.strategy,a.profiles.length].join(' ')).join()))";
  const { status, out } = await runAlone(["exec", "--fixtures", FILE, "--", "node", "-e", script], { cwd });
  return [status, out.trim()];
};

const USERS = "Name,E-Mail,Phone\nAda,ada@example.com,+12025550181\nGrace,grace@example.com,+12025550182\n";

test("an empty folder gets a file with one app and its user, shown first, which exec takes as it is", async () => {
  const folder = project();
  const { status, out, err } = await init(folder);
  expect([status, err]).toEqual([0, ""]);
  expect(readdirSync(folder)).toEqual([FILE]);
  for (const line of read(folder).split("\n")) expect(out).toContain(line);
  expect(out.endsWith(`Wrote ${FILE}. Next:\n\n  ${START}\n`)).toBe(true);
  expect(parse(read(folder))).toEqual({
    $schema: "./node_modules/stagedoor/fixtures/schema.json",
    apps: [
      {
        appId: "my-app",
        secret: "sk_local_my-app",
        strategy: "phone",
        profiles: [{ phone: "+12025550100", name: "Ada", testPasscode: "123456" }],
      },
    ],
  });
  expect(await taken(folder)).toEqual([0, "my-app sk_local_my-app phone 1"]);
});

test("the app names the CSV of the folder, which stays as it is", async () => {
  const folder = project({ "users.csv": USERS });
  expect((await init(folder)).status).toBe(0);
  expect(parse(read(folder)).apps).toEqual([
    { appId: "my-app", secret: "sk_local_my-app", strategy: "phone", users: "./users.csv" },
  ]);
  expect(read(folder, "users.csv")).toBe(USERS);
  expect(await taken(folder)).toEqual([0, "my-app sk_local_my-app phone 2"]);
});

test("users without phones sign in by email; a CSV without users is none, and of two the larger is named", async () => {
  const folder = project({
    "a.csv": "Price,Qty\n12,3\n",
    "b.csv": "email\nada@example.com\n",
    "c.csv": "email\nbob@example.com\neve@example.com\n",
  });
  const { err } = await init(folder);
  expect(err).toContain("b.csv was not used: an app names one file.");
  expect(parse(read(folder)).apps[0]).toMatchObject({ strategy: "email", users: "./c.csv" });
  expect(await taken(folder)).toEqual([0, "my-app sk_local_my-app email 2"]);
});

test("a CSV with errors is refused as elsewhere, with the way out: an option, which the file keeps, or no users", async () => {
  const folder = project({ "users.csv": "Name,Phone\nAda,(202) 555-0181\n" });
  const { status, out, err } = await init(folder);
  expect([status, out, readdirSync(folder)]).toEqual([1, "", ["users.csv"]]);
  expect(err).toBe(
    'users.csv:2: phone: has no country code (found "(202) 555-0181")\n' +
      "users.csv: Add the country of these numbers, such as --country US.\n" +
      "Nothing was written. To leave users.csv out, add --no-users.\n",
  );
  expect((await init(folder, "--dry-run", "--country", "US")).out).toContain("Nothing was written.");
  expect(readdirSync(folder)).toEqual(["users.csv"]);
  expect((await init(folder, "--country", "US")).status).toBe(0);
  expect(parse(read(folder)).apps[0].users).toEqual({ file: "./users.csv", country: "US" });
  expect(await taken(folder)).toEqual([0, "my-app sk_local_my-app phone 1"]);
  const other = project({ "users.csv": "Name,Phone\nAda,(202) 555-0181\n" });
  expect((await init(other, "--no-users")).status).toBe(0);
  expect(parse(read(other)).apps[0]).toHaveProperty("profiles");
});

/** @returns the lines that put the package of this checkout into a folder. */
const installed = (folder: string, add: string): string =>
  `  npm pack ${relative(realpathSync(folder), CHECKOUT)}\n  ${add} ./stagedoor-${pkg.version}.tgz\n`;

test.each([
  ["pnpm-lock.yaml", "pnpm add --save-dev", "pnpm run"],
  ["yarn.lock", "yarn add --dev", "yarn run"],
  ["bun.lock", "bun add --dev", "bun run"],
])(
  "with %s, also at the top of a workspace, the next lines are those of its package manager",
  async (lock, add, runs) => {
    const top = project({ [lock]: "" });
    const folder = join(top, "apps");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{"name": "shop"}');
    const { out } = await init(folder);
    expect(out.endsWith(`Next:\n\n${installed(folder, add)}  ${runs} stagedoor\n`)).toBe(true);
  },
);

const script = JSON.stringify(START);
test.each([
  [
    "two blanks, another script",
    '{\n  "name": "@acme/shop",\n  "scripts": {\n    "test": "vitest"\n  },\n  "type": "module"\n}\n',
    `{\n  "name": "@acme/shop",\n  "scripts": {\n    "test": "vitest",\n    "stagedoor": ${script}\n  },\n  "type": "module"\n}\n`,
  ],
  [
    "tabs, lines of Windows, no scripts, no end of line",
    '{\r\n\t"version": "1.0.0",\r\n\t"name": "shop"\r\n}',
    `{\r\n\t"version": "1.0.0",\r\n\t"name": "shop",\r\n\t"scripts": {\r\n\t\t"stagedoor": ${script}\r\n\t}\r\n}`,
  ],
  [
    "four blanks, a list in one line",
    '{\n    "name": "shop",\n    "files": ["a", "b"],\n    "scripts": {\n        "a": "b"\n    }\n}\n',
    `{\n    "name": "shop",\n    "files": ["a", "b"],\n    "scripts": {\n        "a": "b",\n        "stagedoor": ${script}\n    }\n}\n`,
  ],
  [
    "scripts in one line",
    '{\n  "name": "shop",\n  "scripts": { "a": "b" }\n}\n',
    `{\n  "name": "shop",\n  "scripts": { "a": "b", "stagedoor": ${script} }\n}\n`,
  ],
  [
    "one line",
    '{"name":"shop","scripts":{"a":"b"},"private":true}\n',
    `{"name":"shop","scripts":{"a":"b", "stagedoor": ${script}},"private":true}\n`,
  ],
])("package.json gets the script and keeps its order and form: %s", async (_, before, after) => {
  const folder = project({ "package.json": before });
  const { out } = await init(folder);
  expect(read(folder, "package.json")).toBe(after);
  expect(parse(read(folder)).apps[0].appId).toBe("shop");
  expect(out).toContain(`package.json, in "scripts":\n\n  "stagedoor": ${script}\n`);
  expect(out.endsWith(`Next:\n\n${installed(folder, "npm install --save-dev")}  npm run stagedoor\n`)).toBe(true);
});

test("what is there stays as it is, and is named", async () => {
  const files = {
    [FILE]: "mine",
    "package.json": '{"devDependencies": {"stagedoor": "1"}, "scripts": {"stagedoor": "mine"}}',
    "users.csv": "Name,Phone\nAda,1\n",
  };
  const folder = project(files);
  const { status, out, err } = await init(folder);
  expect([status, err]).toEqual([0, ""]);
  expect(out).toBe(
    `${FILE} exists, and stays as it is.\npackage.json has a script "stagedoor", which stays as it is.\nNext:\n\n  npx ${START}\n`,
  );
  for (const [name, text] of Object.entries(files)) expect(read(folder, name)).toBe(text);
  expect(JSON.parse((await init(folder, "--json")).out)).toEqual({
    written: [],
    kept: out.split("\n").slice(0, 2),
    next: [`npx ${START}`],
  });
});

test("a package.json that is none is left alone; a second run changes nothing", async () => {
  const folder = project({ "package.json": '{"scripts": [' });
  expect((await init(folder)).out).toContain(
    "package.json could not be read as that of a package, and stays as it is.",
  );
  const written = read(folder);
  expect((await init(folder)).out).toContain(`${FILE} exists`);
  expect([read(folder), read(folder, "package.json")]).toEqual([written, '{"scripts": [']);
  expect(existsSync(join(folder, "node_modules"))).toBe(false);
});
