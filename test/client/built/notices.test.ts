/** What the start said about the users that it read stands in the output of a failing test, and only there. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createFixtures } from "#client/frameworks/jest.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { CHECKOUT } from "../installed.ts";

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

/** Runs a test with fixtures in Vitest itself. @returns all that it printed. */
const run = async (fixtures: string, body: string): Promise<string> => {
  const text = `import { test as base, expect } from "vitest";
import { fixtures } from "stagedoor/vitest";
base.extend(fixtures)("signs in", async ({ ${fixtures} }) => ${body});
`;
  await writeFile(join(dir, "one.test.mjs"), text);
  const clean = Object.entries(process.env).filter(([name]) => !/^(STAGEDOOR_|VITEST|NODE_ENV$|DEBUG$)/.test(name));
  const args = [join(CHECKOUT, "node_modules/vitest/vitest.mjs"), "run", "--root", dir];
  const env = { ...Object.fromEntries(clean), NO_COLOR: "1" };
  return await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: dir, env }, (_error, out, err) => resolve(out + err));
  });
};

/** Sends a code as `otp`, which is no field of a PUT. */
const slip = `{
  const body = JSON.stringify({ appId: app.appId, user: { phone: "+12025550100" }, otp: "123456" });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(stagedoor.authUrl + "/v1/users/session", { method: "PUT", headers, body });
  expect(answer.status).toBe(200);
}`;
const REJECTED =
  "Stagedoor rejected:\nPUT /v1/users/session 422 invalid_fields: The passcode was sent as “otp”; it must be in “passcode”.";

describe("Vitest", () => {
  test.each(["app", "stagedoor"] as const)("prints it for a failing test with the fixture %s", async (fixture) => {
    const printed = await run(fixture, `expect(${fixture}).toBeNull()`);
    expect(printed).toContain("1 failed");
    expect(printed).toContain(`stagedoor: ${join(dir, "users.csv")}: 1 user in demo-app, by phone.\n`);
    expect(printed).toMatch(/stagedoor: .*users\.csv: 1 duplicate row \(same user, same values\) was left out\.\n/);
  });

  test("a test that fails says which request of its app was rejected, and why", async () => {
    const printed = await run("stagedoor, app", slip);
    expect(printed).toContain(`expected 422 to be 200 // Object.is equality\n\n${REJECTED}\n`);
  });

  test("prints nothing for a passing test", async () => {
    const printed = await run("app", "expect(app).toBeTruthy()");
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

test("Jest: a test that fails says which of its app's requests were rejected since it began, also with a shared app", async () => {
  const server = await startInProcess();
  vi.stubEnv("STAGEDOOR_CONSOLE_URL", server.urls.console);
  const put = (appId: string, field: string) =>
    fetch(`${server.urls.auth}/v1/users/session`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ appId, user: { phone: "+12025550100" }, [field]: "123456" }),
    });
  const failed = async (options: Parameters<typeof createFixtures>[0]): Promise<string> => {
    await put("demo-app", "before");
    const failing = createFixtures(options)(async ({ app }) => {
      await put(app.appId, "otp");
      throw new Error("no session");
    });
    const error: unknown = await failing().catch((thrown: unknown) => thrown);
    return error instanceof Error ? `${error.message}${error.stack}` : "";
  };
  try {
    for (const options of [{}, { isolation: "user", appId: "demo-app" }] as const) {
      const shown = await failed(options);
      expect(shown.split(`no session\n\n${REJECTED}\n`)).toHaveLength(3);
      expect(shown).not.toContain("before");
    }
  } finally {
    vi.unstubAllEnvs();
    await server.close();
  }
});
