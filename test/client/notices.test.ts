/** What the start said about the users that it read stands in the output of a failing test, and only there. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createFixtures } from "#client/frameworks/jest.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { CHECKOUT } from "./installed.ts";

// In the checkout, whose own name `stagedoor/vitest` is.
let dir = "";
beforeAll(async () => {
  await mkdir(join(CHECKOUT, "dist"), { recursive: true });
  dir = await mkdtemp(join(CHECKOUT, "dist", "notices-"));
  const setup =
    'import { createSetup } from "stagedoor/vitest";\nexport default createSetup({ fixtures: ["users.csv"] });\n';
  const config = 'export default { test: { globalSetup: "./setup.mjs" } };\n';
  const row = "Ada,+12025550101\n";
  await writeFile(join(dir, "users.csv"), `name,phone\n${row}${row}`);
  await writeFile(join(dir, "setup.mjs"), setup);
  await writeFile(join(dir, "vitest.config.mjs"), config);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Runs a test with a fixture in Vitest itself. @returns all that it printed. */
const run = async (fixture: "app" | "stagedoor", expected: "toBeTruthy" | "toBeNull"): Promise<string> => {
  const text = `import { test as base, expect } from "vitest";
import { fixtures } from "stagedoor/vitest";
base.extend(fixtures)("signs in", async ({ ${fixture} }) => expect(${fixture}).${expected}());
`;
  await writeFile(join(dir, "one.test.mjs"), text);
  const clean = Object.entries(process.env).filter(([name]) => !/^(STAGEDOOR_|VITEST|NODE_ENV$|DEBUG$)/.test(name));
  const args = [join(CHECKOUT, "node_modules/vitest/vitest.mjs"), "run", "--root", dir];
  const env = { ...Object.fromEntries(clean), NO_COLOR: "1" };
  return await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: dir, env }, (_error, out, err) => resolve(out + err));
  });
};

describe("Vitest", () => {
  test.each(["app", "stagedoor"] as const)("prints it for a failing test with the fixture %s", async (fixture) => {
    const printed = await run(fixture, "toBeNull");
    expect(printed).toContain("1 failed");
    expect(printed).toContain(`stagedoor: ${join(dir, "users.csv")}: 1 user in demo-app, by phone.\n`);
    expect(printed).toMatch(/stagedoor: .*users\.csv: 1 row twice: the same user with the same values, taken once\.\n/);
  });

  test("prints nothing for a passing test", async () => {
    const printed = await run("app", "toBeTruthy");
    expect(printed).toContain("1 passed");
    expect(printed).not.toContain("users.csv");
  });
});

test("Jest prints it for a failing test only, with the test's own error", async () => {
  const server = await startInProcess();
  vi.stubEnv("STAGEDOOR_CONSOLE_URL", server.urls.console);
  vi.stubEnv("STAGEDOOR_NOTICES", "users.csv: 1 row twice.\nusers.csv: 2 rows left out.");
  const written: string[] = [];
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  try {
    await createFixtures()(async ({ app }) => expect(app.appId).not.toBe(""))();
    expect(written).toEqual([]);
    const failing = createFixtures()(() => Promise.reject(new Error("expected a code")));
    await expect(failing()).rejects.toThrow("expected a code");
    expect(written.join("")).toBe("stagedoor: users.csv: 1 row twice.\nstagedoor: users.csv: 2 rows left out.\n");
  } finally {
    spy.mockRestore();
    vi.unstubAllEnvs();
    await server.close();
  }
});
