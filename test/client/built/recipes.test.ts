/** The recipes: those that can run here run exactly as printed; the others make only known calls. */
import { chmod, readdir, readFile, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startBuilt } from "#test/hosts/built.ts";
import { NO_BROWSER } from "#test/support/browser.ts";
import { findBrowser } from "#test/support/find-browser.ts";
import { filesIn } from "../examples.ts";
import { CHECKOUT, type Installed, installPacked } from "../installed.ts";

const FOLDER = join(CHECKOUT, "docs/recipes");
const CLI = "node_modules/stagedoor/dist/server/cli.js";
const read = (name: string): Promise<string> => readFile(join(FOLDER, name), "utf8");

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
  const link = (name: string) =>
    symlink(join(CHECKOUT, "node_modules", name), join(installed.dir, "node_modules", name), "junction");
  await link("playwright-core");
});
afterAll(() => installed?.remove());

describe("shell", () => {
  beforeEach(({ skip }) => skip(process.platform === "win32", "the recipes are shell scripts"));
  test("the calls that all recipes make, by four workers at once", async () => {
    const blocks = [...(await read("README.md")).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text);
    const workers =
      "for worker in 1 2 3 4; do bash calls.sh > $worker.out & done; for job in $(jobs -p); do wait $job; done; for worker in 1 2 3 4; do cat $worker.out; echo; done";
    await installed.write({ "calls.sh": `set -e\n${blocks.join("echo\n")}`, "workers.sh": `set -e\n${workers}\n` });
    const printed = await installed.node([CLI, "exec", "--", "bash", "workers.sh"]);
    expect(printed.match(/^code: \d{6}$/gm)).toHaveLength(4);
    expect(printed.match(/"offsetSeconds":660\b/g)).toHaveLength(4);
    expect(printed.match(/Emulator-Reason: passcode_expired/g)).toHaveLength(4);
    expect(printed.match(/"token":"/g)).toHaveLength(4);
  });

  test("github-actions.md: ci.sh, with an emulator in the background", async () => {
    const script = filesIn(await read("github-actions.md"))["ci.sh"] ?? "";
    const bin = join(installed.dir, "bin");
    // On free ports, so that it can run next to others; the wait and the rest find it through the environment.
    const built = await startBuilt(["--ephemeral"]);
    const ask = `curl -s ${built.ready.authUrl}/v1/users/session -H 'Content-Type: application/json' -d '{"appId":"demo-app","user":{"phone":"+12025550100"}}'`;
    const told = (event: string) => `grep -q '"event":"${event}"' stagedoor-events.ndjson`;
    const tests = `until ${told("passcode")} && ${told("request")}; do ${ask}; sleep 0.2; done`;
    await installed.write({
      "ci.sh": `set -e\n${script.replace("# … the tests …", tests)}`,
      // This machine's default ports may be in use: `start` becomes the emulator that already runs.
      "bin/stagedoor": `#!/bin/sh\n[ "$1" = start ] && exit 0\nexec "${process.execPath}" "${join(installed.dir, CLI)}" "$@"\n`,
    });
    await chmod(join(bin, "stagedoor"), 0o755);
    const runner =
      'require("node:child_process").execFileSync("bash", ["ci.sh"], { stdio: ["ignore", "inherit", "ignore"] })';
    const env = { PATH: `${bin}${delimiter}${process.env["PATH"]}`, STAGEDOOR_CONSOLE_URL: built.ready.consoleUrl };
    expect(await installed.node(["-e", runner], env)).toBe(`${built.ready.consoleUrl}\n`);
    const events = (await readFile(join(installed.dir, "stagedoor-events.ndjson"), "utf8")).trim().split("\n");
    expect(events.map((line) => JSON.parse(line).event)).toEqual(expect.arrayContaining(["passcode", "request"]));
    await built.stop();
  });
});

test("the skill for agents: its test and its commands", async () => {
  const skill = await readFile(
    join(installed.dir, "node_modules/stagedoor/skills/stagedoor-login-test/SKILL.md"),
    "utf8",
  );
  expect(skill).toMatch(/^---\nname: stagedoor-login-test\ndescription: .{1,1024}\n---\n/);
  await installed.write(filesIn(skill));
  const [run = [], ...others] = [...skill.matchAll(/^```sh\nnpx stagedoor (.*)\n```$/gm)].map(([, words = ""]) =>
    words.split(" "),
  );
  expect(run.slice(0, 4)).toEqual(["exec", "--", "node", "--test"]);
  // What Node prints by default differs between its versions.
  const passed = await installed.node([CLI, ...run], { NODE_OPTIONS: "--test-reporter=tap" });
  expect(passed).toMatch(/^# pass 1$/m);
  expect(passed).toMatch(/^# fail 0$/m);
  const built = await startBuilt(["--ephemeral"]);
  for (const words of others) await installed.node([CLI, ...words], { STAGEDOOR_CONSOLE_URL: built.ready.consoleUrl });
  await built.stop();
});

test("playwright.md: a login in a page", async ({ skip }) => {
  const browser = findBrowser();
  if (browser === undefined) return skip(NO_BROWSER);
  const { "login.mjs": text = "" } = filesIn(await read("playwright.md"));
  // Chromium's sandbox does not work for root, as in a container: playwright-core disables it unless asked.
  await installed.write({ "page/login.mjs": text });
  expect(await installed.node(["page/login.mjs"], { CHROME_PATH: browser })).toBe("signed in\n");
});

test("after-the-login.md: its endpoint responds only for the user of the token, and rejects invalid tokens", async () => {
  for (const name of ["graphql", "jose"])
    await symlink(
      join(CHECKOUT, "node_modules", name),
      join(installed.dir, "node_modules", name),
      process.platform === "win32" ? "junction" : "dir",
    );
  const page = await read("after-the-login.md");
  const files = filesIn(page);
  expect(Object.keys(files)).toEqual(["schema.graphql", "graphql.mjs"]);
  const linked = await readFile(join(import.meta.dirname, "../pages/after-login.test.mjs"), "utf8");
  await installed.write({ ...files, "after-login.test.mjs": linked });
  const env = { NODE_OPTIONS: "--test-reporter=tap" };
  const passed = await installed.node([CLI, "exec", "--", process.execPath, "--test", "after-login.test.mjs"], env);
  expect(passed).toMatch(/^# pass 1$/m);
  expect(passed).toMatch(/^# fail 0$/m);
  const [, body = ""] = /token-check \S+ --body '(.*)'`/.exec(page) ?? [];
  await installed.write({
    "refused.mjs": `
      import { spawn, spawnSync } from "node:child_process";
      const endpoint = spawn(process.execPath, ["graphql.mjs"], { env: { ...process.env, PORT: "0" } });
      endpoint.stdout.once("data", (line) => {
        const args = [${JSON.stringify(CLI)}, "token-check", /http:\\S+/.exec(line)[0], "--body", ${JSON.stringify(body)}];
        const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
        console.log(stdout, "status", status);
        endpoint.kill();
      });`,
  });
  expect(await installed.node([CLI, "exec", "--", process.execPath, "refused.mjs"])).toMatch(/ status 0\n$/);
});

test("detox.md: its test, with a stand-in for the device", async () => {
  const { "login.test.js": text = "" } = filesIn(await read("detox.md"));
  await installed.write({
    "detox/login.test.js": text,
    "detox/run.js": `
      const typed = {};
      const body = JSON.stringify({ appId: "demo-app", user: { phone: "+12025550100" } });
      const headers = { "Content-Type": "application/json" };
      const send = () => fetch(process.env.STAGEDOOR_AUTH_URL + "/v1/users/session", { method: "POST", headers, body });
      global.device = { getPlatform: () => "ios" };
      global.by = { id: (id) => id, text: (text) => text };
      global.element = (id) => ({
        typeText: async (text) => { typed[id] = text; },
        tap: async () => { if (id === "send") await send(); },
      });
      global.expect = () => ({ toBeVisible: async () => {} });
      global.it = (_, run) => run().then(() => console.log(typed.phone, typed.code));
      require("./login.test.js");`,
  });
  expect(await installed.node([CLI, "exec", "--", process.execPath, "detox/run.js"])).toMatch(
    /^\+12025550100 \d{6}\n$/,
  );
});

test("each page is listed, says whether it was run, and makes only the calls of the overview", async () => {
  const overview = await read("README.md");
  const called = new Set(["status", "passcodes/latest", "clock/advance", "clock", "state"]);
  for (const name of (await readdir(FOLDER, { recursive: true })).filter((file) => /\.\w+$/.test(file))) {
    if (name === "README.md") continue;
    const page = await read(name);
    if (name.endsWith(".md")) {
      expect(overview, name).toContain(`](${name})`);
      expect(page, name).toMatch(/Stagedoor's(\sown)?\s+tests/);
    }
    const calls = [...page.matchAll(/(?:emulator\/v1\/|ask\(['"`])([a-z/]+)/g)].map(([, call = ""]) => call);
    for (const call of calls) expect([...called], `${name}: ${call}`).toContain(call);
  }
});
