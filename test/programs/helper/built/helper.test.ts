/** `stagedoor helper`: each file, printed into an empty folder, runs its example with the language's own tool. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshPath, run } from "#test/cli/support.ts";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { isHere, TOOLS } from "./languages.ts";
import { SLIPS } from "./slips.ts";
import { type Watched, watch } from "./watched.ts";

let built: Built;
let watched: Watched;
beforeAll(async () => {
  built = await startBuilt(["--ephemeral"]);
  watched = await watch(built.ready.consoleUrl);
});
afterAll(async () => {
  watched.close();
  await built.stop();
});

/** Why there is no code, in each example; nobody waits for one once that is certain. */
const REASONS = ["signed_up", "ghost", "rate_limited", "undelivered"];

const printed = async (...args: readonly string[]): Promise<string> => {
  const { status, out, err } = await run(["helper", ...args]);
  expect([status, err]).toEqual([0, ""]);
  return out;
};

/** Runs a line of a shell in a folder. @returns all that it printed, and its status at the end. */
const shell = async (line: string, cwd: string): Promise<string> => {
  const env = { ...cleanEnv(), STAGEDOOR_CONSOLE_URL: watched.url, GOFLAGS: "-mod=mod", GOPROXY: "off" };
  const child = spawn("sh", ["-c", `{ ${line}; } 2>&1`], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const [out, [status]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return `${out}\nstatus ${status}`;
};

const apps = async (): Promise<unknown> => {
  const answer = await fetch(`${built.ready.consoleUrl}/emulator/v1/apps`);
  return (await answer.json()).items.map(({ appId }: { appId: string }) => appId);
};

test("alone it lists the helpers, each with a line of use", async () => {
  const lines = (await printed()).trim().split("\n");
  expect(lines.map((line) => line.split(" ")[0])).toEqual(Object.keys(TOOLS));
  for (const line of lines) expect(line).toMatch(/^(\w+) +stagedoor helper \1 .*> \S+; /);
  expect(Object.keys(JSON.parse(await printed("--json")))).toEqual(Object.keys(TOOLS));
});

test("an unknown one is wrong usage, and names those that there are", async () => {
  const { status, err } = await run(["helper", "cypress"]);
  expect([status, err]).toEqual([2, expect.stringMatching(/^No helper "cypress". Helpers: pytest, junit5, go/)]);
  expect((await run(["helper", "pytest", "--package", "x"])).status).toBe(2);
  expect((await run(["helper", "go", "--package", "x y"])).status).toBe(2);
});

test("each names the version that printed it, and has at most 120 lines", async () => {
  const { out: version } = await run(["--version"]);
  for (const name of Object.keys(TOOLS)) {
    const file = await printed(name);
    expect(file).toContain(`version ${version.trim()}.`);
    expect(file.trimEnd().split("\n").length, name).toBeLessThanOrEqual(120);
  }
});

test("--package is the package of the file", async () => {
  expect(await printed("go", "--package", "login_test")).toMatch(/^package login_test$/m);
  expect(await printed("junit5", "--package", "com.example")).toMatch(/^package com\.example;\n\nimport /m);
  expect(await printed("junit5")).not.toMatch(/^package/m);
});

describe.each(Object.entries(TOOLS))("%s", (name, tool) => {
  test("runs its ten tests at the first try, leaves no app, and is told within a second why there is no code", async ({
    skip,
  }) => {
    skip(!isHere(name, tool), `${name} is not installed`);
    const folder = freshPath(name);
    const [helper, example] = tool.files;
    const write = async (path: string, content: string) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    };
    for (const [path, content] of Object.entries({ ...tool.more, [helper]: await printed(name) }))
      await write(path, content);
    if (example !== undefined) await write(example, await printed(name, "--example"));
    const before = await apps();
    const earlier = watched.refusals.length;
    const shown = await Promise.all(tool.commands.map((command) => shell(command, folder)));
    for (const one of shown) expect(one).toMatch(tool.passed);
    for (const one of shown) expect(one).toMatch(/status 0$/);
    expect(await apps()).toEqual(before);
    const told = watched.refusals.slice(earlier);
    for (const reason of REASONS) {
      const times = told.filter(({ text }) => text.includes(reason)).map(({ ms }) => ms);
      // Each waits up to 10 s; the fastest of several does not depend on what else the machine does.
      expect([reason, Math.min(...times)]).toEqual([reason, expect.toSatisfy((ms: number) => ms < 1_000)]);
    }
  });

  test("a test that fails says which request of its app was rejected, and why", async ({ skip }) => {
    skip(!isHere(name, tool), `${name} is not installed`);
    const folder = freshPath(`${name}-slip`);
    const [helper] = tool.files;
    const [file, text] = SLIPS[name] ?? [helper, (await printed(name)).replaceAll('\\"passcode\\"', '\\"otp\\"')];
    for (const [path, content] of Object.entries({ ...tool.more, [helper]: await printed(name), [file]: text })) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    const [command = ""] = tool.commands;
    const shown = await shell(command, folder);
    expect(shown).not.toMatch(/status 0$/);
    expect(shown).toMatch(/Stagedoor rejected/);
    expect(shown.replaceAll(/[\s│']/g, "")).toContain(
      "PUT/v1/users/session422invalid_fields:Thepasscodewassentas“otp”",
    );
  });
});
