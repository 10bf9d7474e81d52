/** Runs the examples of README.md, docs/testing.md, docs/failed-logins.md, docs/rewind.md and docs/deploy/scale.md as they are, with the published package. */
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blocksOf, fileName } from "#test/docs/blocks.ts";
import { cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { NO_BROWSER } from "#test/support/browser.ts";
import { findBrowser } from "#test/support/find-browser.ts";
import { freePort } from "#test/support/ports.ts";
import { filesIn, sectionOf } from "../examples.ts";
import { CHECKOUT, type Installed, installPacked } from "../installed.ts";

let installed: Installed;
let page = "";
beforeAll(async () => {
  [installed, page] = await Promise.all([installPacked(), readFile(join(CHECKOUT, "docs/testing.md"), "utf8")]);
  for (const name of ["vitest", "@playwright"])
    await symlink(join(CHECKOUT, "node_modules", name), join(installed.dir, "node_modules", name), "junction");
});
afterAll(() => installed?.remove());

test("a login in ten lines", async () => {
  await installed.write(filesIn(sectionOf(page, "## A login in ten lines")));
  expect(await installed.node(["login.mjs"])).toContain("active: true");
});

/** What the fragments of a page use without saying where it comes from: an app, a page, and what asks for a code. */
const PRELUDE = `
import assert from "node:assert/strict";
import { connect } from "stagedoor/client";
const client = connect();
const stagedoor = { client };
const { appId } = await client.apps.create({ name: "Fragments" });
const ask = (appId, phone = "+12025550100") =>
  fetch(process.env.STAGEDOOR_AUTH_URL + "/v1/users/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ appId, user: { phone } }),
  });
const askForCode = () => ask(appId);
const page = { getByRole: () => ({ click: askForCode }) };
const expect = (value) => ({ toBe: (other) => assert.equal(value, other) });
`;
const CLI = "node_modules/stagedoor/dist/server/cli.js";
const runFragments = async (name: string, body: string): Promise<string> => {
  await installed.write({ [name]: `${PRELUDE}${body}\nclient.close();` });
  return installed.node([CLI, "exec", "--", process.execPath, name]);
};

test("the fragments about codes and requests run one after the other", async () => {
  const fragments = blocksOf("docs/testing.md").filter((block) => block.language === "ts" && !fileName(block));
  expect(fragments.length).toBeGreaterThan(5);
  await runFragments("fragments.mjs", fragments.map(({ text }) => `{\n${text}\n}`).join("\n"));
});

test("the messages when no code comes are those of the page", async () => {
  const shown = blocksOf("docs/testing.md").find(({ language }) => language === "text")?.text ?? "";
  const printed = await runFragments(
    "messages.mjs",
    `for (const action of [() => ask("demo-app", "+12025550101"), () => ask("nobodys-app"), async () => {}])
      await client.passcodes
        .requestedBy(action, { to: "+12025550100", appId: "demo-app", timeoutMs: 300 })
        .catch(({ message }) => console.log(message.replace("0.3 s", "30 s")));`,
  );
  expect(printed.trim()).toBe(shown);
});

test("docs/failed-logins.md: a test saves the login that failed", async () => {
  const [fragment] = blocksOf("docs/failed-logins.md").filter(({ language }) => language === "js");
  await runFragments("failed.mjs", `await askForCode();\n${fragment?.text}`);
  const bundle: unknown = JSON.parse(await readFile(join(installed.dir, "login.json"), "utf8"));
  expect(bundle).toMatchObject({ requests: [{ path: "/v1/users/session" }] });
});

test("docs/rewind.md: an app returns to its mark", async () => {
  const [fragment] = blocksOf("docs/rewind.md").filter(({ language }) => language === "js");
  const built = await startBuilt(["--ephemeral", "--admin-port", "0", "--auth-port", "0", "--console-port", "0"]);
  try {
    await installed.write({ "rewind.mjs": fragment?.text ?? "" });
    expect(await installed.node(["rewind.mjs"], { STAGEDOOR_CONSOLE_URL: built.ready.consoleUrl })).toBe("");
    const profiles = await fetch(`${built.ready.consoleUrl}/emulator/v1/profiles?q=0188`);
    expect(await profiles.json()).toMatchObject({ total: 0 });
  } finally {
    await built.stop();
  }
});

test("node:test", async () => {
  const { "login.test.mjs": text = "" } = filesIn(sectionOf(page, "### node:test"));
  await installed.write({ "node/login.mjs": text });
  expect(await installed.node(["--test", "--test-reporter=tap", "node/login.mjs"])).toMatch(/^# pass 1$/m);
});

test("Vitest: one emulator, one app per test", async () => {
  const files = filesIn(sectionOf(page, "### Vitest"));
  const { "stagedoor.setup.ts": withOptions = "", ...given } = files;
  expect(Object.keys(given)).toEqual(["vitest.config.mts", "stagedoor.ts", "login.test.ts"]);
  const again = { "again.test.ts": files["login.test.ts"] ?? "" };
  await installed.write({ ...given, ...again, "package.json": JSON.stringify({ type: "module" }) });
  const vitest = join(CHECKOUT, "node_modules/vitest/vitest.mjs");
  const printed = await installed.node([vitest, "run", "--reporter=json", "--maxWorkers=2"]);
  expect(JSON.parse(printed.slice(printed.indexOf("{")))).toMatchObject({ success: true, numPassedTests: 2 });
  expect(withOptions).toContain("createSetup({ fixtures:");
});

test.each(["module", "commonjs"])("Playwright: one app per test; in a project of type %s", async (type) => {
  const files = filesIn(sectionOf(page, "### Playwright"));
  const { "playwright.config.ts": _, ...specs } = files;
  expect(Object.keys(specs)).toEqual(["login.spec.ts", "waiting.spec.ts"]);
  const again = { "again.spec.ts": files["login.spec.ts"] ?? "" };
  const config = "export default { reporter: 'json', workers: 2 };";
  const all = { ...specs, ...again, "playwright.config.ts": config, "package.json": JSON.stringify({ type }) };
  const folder = `playwright-${type}`;
  await installed.write(Object.fromEntries(Object.entries(all).map(([path, text]) => [`${folder}/${path}`, text])));
  const playwright = join(CHECKOUT, "node_modules/@playwright/test/cli.js");
  expect(JSON.parse(await installed.node([playwright, "test", "-c", folder]))).toMatchObject({
    stats: { expected: 6, unexpected: 0 },
  });
});

test("Playwright: tests with users of a file, by the configuration; a failed one shows what was left out", async () => {
  const { "playwright.config.ts": config = "" } = filesIn(sectionOf(page, "### Playwright"));
  await installed.write({
    "files/playwright.config.ts": config,
    "files/package.json": '{"type":"module"}',
    "users.csv": "name,phone,note\nIda,(202) 555-0121,\nIda,(202) 555-0121,\nAl,(202) 555-0122,\n",
    "codes.csv": "phone,testPasscode\n+12025550121,123456\n",
    "files/users.spec.ts": `
      import { expect, test } from "stagedoor/playwright";
      for (const count of [2, 3])
        test("has " + count, async ({ app: { appId }, stagedoor }) => {
          const { items } = await stagedoor.client.profiles.list({ appId });
          expect(items.find(({ name }) => name === "Ida")).toMatchObject({ testPasscode: "123456" });
          expect(items).toHaveLength(count);
        });`,
  });
  const playwright = join(CHECKOUT, "node_modules/@playwright/test/cli.js");
  const printed = await installed.node([playwright, "test", "-c", "files", "--reporter=line"]).catch(String);
  expect(printed).toMatch(/1 failed[\s\S]*1 passed/);
  expect(printed).toMatch(/stagedoor: .*users\.csv: 1 duplicate row/);
});

test("README.md: a user signs in to the demo app", async ({ skip }) => {
  const browser = findBrowser();
  if (browser === undefined) return skip(NO_BROWSER);
  const { "login.spec.ts": text = "" } = filesIn(await readFile(join(CHECKOUT, "README.md"), "utf8"));
  await installed.write({
    "readme/login.spec.ts": text,
    "readme/playwright.config.mjs":
      'export default { reporter: "json", use: { launchOptions: { executablePath: process.env.CHROME_PATH } } };',
  });
  const playwright = join(CHECKOUT, "node_modules/@playwright/test/cli.js");
  const printed = await installed.node([playwright, "test", "-c", "readme"], { CHROME_PATH: browser });
  expect(JSON.parse(printed)).toMatchObject({ stats: { expected: 1, unexpected: 0 } });
});

test("the TypeScript examples compile in a strict project", async () => {
  const headings = ["### Playwright", "### Vitest", "### An app or a user for each test"];
  const pages = headings.map((heading) => Object.entries(filesIn(sectionOf(page, heading))));
  const files = Object.fromEntries(pages.flat().filter(([path]) => !path.endsWith(".js")));
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2022", types: [], noEmit: true, allowImportingTsExtensions: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true },
  };
  const config = { "package.json": '{"type":"module"}', "tsconfig.json": JSON.stringify({ compilerOptions }) };
  const all = Object.entries({ ...files, ...config });
  await installed.write(Object.fromEntries(all.map(([path, text]) => [`types/${path}`, text])));
  expect(await installed.node([join(CHECKOUT, "node_modules/typescript/bin/tsc"), "-p", "types"])).toBe("");
});

test("Jest: its setup starts an emulator that ends with the process; the page's test runs as CommonJS", async () => {
  const { "jest.config.js": config = "", "login.test.js": text = "" } = filesIn(sectionOf(page, "### Jest"));
  await installed.write({
    "jest/package.json": "{}",
    "jest/jest.config.js": config,
    "jest/login.test.js": text,
    // Does what Jest does with both, without its thirty packages.
    "jest/run.js": `
      const assert = require("node:assert/strict");
      const hooks = { beforeEach: [], afterEach: [], afterAll: [] };
      for (const name of Object.keys(hooks)) global[name] = (hook) => hooks[name].push(hook);
      const all = async (name) => { for (const hook of hooks[name]) await hook(); };
      global.expect = (value) => ({
        toMatchObject: (part) => assert.deepEqual({ ...value, ...part }, value),
      });
      const tests = [];
      global.test = (_, run) => tests.push(run);
      (async () => {
        const setup = require(require("./jest.config.js").globalSetup);
        await setup.default();
        const url = process.env.STAGEDOOR_CONSOLE_URL;
        await setup.default();
        assert.equal(process.env.STAGEDOOR_CONSOLE_URL, url);
        require("./login.test.js");
        for (const run of tests) {
          await all("beforeEach");
          await run();
          await all("afterEach");
        }
        await all("afterAll");
        console.log(tests.length, url);
      })();`,
  });
  const [count, url = ""] = (await installed.node(["jest/run.js"])).trim().split(" ");
  expect(count).toBe("1");
  const isThere = () =>
    fetch(`${url}/readyz`).then(
      () => true,
      () => false,
    );
  await expect.poll(isThere).toBe(false);
});

describe("a user for each test of a shared app", () => {
  const section = () => filesIn(sectionOf(page, "### An app or a user for each test"));
  const exec = (...command: string[]) => installed.node([CLI, "exec", "--", process.execPath, ...command]);

  test.each(["module", "commonjs"])("Playwright, in a project of type %s", async (type) => {
    const { "one-secret.spec.ts": text = "" } = section();
    const folder = `user-${type}`;
    await installed.write({
      ...Object.fromEntries([1, 2, 3, 4].map((n) => [`${folder}/${n}.spec.ts`, text])),
      [`${folder}/playwright.config.ts`]: "export default { reporter: 'json', workers: 4 };",
      [`${folder}/package.json`]: JSON.stringify({ type }),
    });
    const printed = await exec(join(CHECKOUT, "node_modules/@playwright/test/cli.js"), "test", "-c", folder);
    expect(JSON.parse(printed)).toMatchObject({ stats: { expected: 4, unexpected: 0 } });
  });

  test("Vitest", async () => {
    const { "one-secret.test.ts": text = "" } = section();
    await installed.write({ "user-vitest/one.test.ts": text, "user-vitest/two.test.ts": text });
    const vitest = join(CHECKOUT, "node_modules/vitest/vitest.mjs");
    const printed = await exec(vitest, "run", "--reporter=json", "--root=user-vitest");
    expect(JSON.parse(printed.slice(printed.indexOf("{")))).toMatchObject({ success: true, numPassedTests: 2 });
  });

  test("Jest, by what it does with a test", async () => {
    const { "one-secret.test.js": text = "" } = section();
    await installed.write({
      "user-jest/package.json": "{}",
      "user-jest/one.test.js": text,
      "user-jest/run.js": `
        const assert = require("node:assert/strict");
        global.expect = (value) => ({ toMatchObject: (part) => assert.deepEqual({ ...value, ...part }, value) });
        global.test = (_, body) => {
          assert.equal(body.length, 0);
          body().then(() => console.log("passed"));
        };
        require("./one.test.js");`,
    });
    expect(await exec("user-jest/run.js")).toBe("passed\n");
  });
});

test("several emulators: the example, and the fixtures with a join token alone", async () => {
  const port = await freePort(6);
  const ports = (at: number): string[] =>
    ["admin", "auth", "console"].flatMap((name, i) => [`--${name}-port`, `${port + 3 * at + i}`]);
  const tokens = { STAGEDOOR_ACCESS_TOKEN: "whole-console", STAGEDOOR_JOIN_TOKEN: "join-the-others" };
  const start = (at: number) =>
    startBuilt(["--ephemeral", "--console-host", "127.0.0.1", ...ports(at)], { ...cleanEnv(), ...tokens });
  const built = await Promise.all([start(0), start(1)]);
  try {
    const shards = built.map(({ ready }) => ready.consoleUrl);
    const env = {
      STAGEDOOR_SHARDS: shards.join(" "),
      STAGEDOOR_JOB: "4711",
      STAGEDOOR_ACCESS_TOKEN: tokens.STAGEDOOR_JOIN_TOKEN,
    };
    const scale = await readFile(join(CHECKOUT, "docs/deploy/scale.md"), "utf8");
    const { "shards.mjs": text = "" } = filesIn(scale);
    await installed.write({ "shards.mjs": text.replace(/(?<=connect\()\{.*\}(?=\);)/, "") });
    const printed = await installed.node(["shards.mjs"], env);
    const [auth = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
    expect(built.map(({ ready }) => ready.authUrl)).toContain(auth);
    expect(printed).toContain("job: '4711'");

    const files = Object.entries({
      ...filesIn(sectionOf(page, "### Vitest")),
      "package.json": JSON.stringify({ type: "module" }),
    });
    await installed.write(Object.fromEntries(files.map(([path, text]) => [`joined/${path}`, text])));
    const vitest = join(CHECKOUT, "node_modules/vitest/vitest.mjs");
    const ran = await installed.node([vitest, "run", "--reporter=json", "--root=joined"], env);
    expect(JSON.parse(ran.slice(ran.indexOf("{")))).toMatchObject({ success: true, numPassedTests: 1 });
  } finally {
    for (const one of built) await one.stop();
  }
});
