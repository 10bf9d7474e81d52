/** `stagedoor coverage` and `exec --coverage`. */
import { readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { freshPath, run, type Started, sendCode, start } from "#test/cli/support.ts";

let started: Started;
beforeAll(async () => {
  started = await start(["--json", "--data", freshPath()]);
});
const coverage = (...args: readonly string[]) => run(["coverage", ...args, "--url", started.ready.consoleUrl]);

test("prints a table by group, as text, Markdown, JSON and JUnit, of all apps or of one", async () => {
  await sendCode(started.ready);
  const table = await coverage();
  expect([table.status, table.err]).toEqual([0, ""]);
  expect(table.out).toMatch(/^Signing up\n {2}· Signed up\n/);
  expect(table.out).toMatch(/\nReceiving the code\n {2}✓ Code sent +1\n {2}· Code resent\n/);
  expect(table.out).toMatch(/\n1 of 27 login outcomes covered \(3 %\)\n$/);
  expect((await coverage("--app", "demo-mail")).out).toContain("\n0 of 27 login outcomes");
  const markdown = (await coverage("--markdown")).out;
  expect(markdown).toContain("| ✓ | Code sent | 1 | Says where the code was sent, and asks for it. |\n");
  const [json, junit] = [await coverage("--json"), freshPath("coverage.xml")];
  expect(JSON.parse(json.out)).toMatchObject({ met: 1, total: 27 });
  expect((await coverage("--junit", junit, "--fail-under", "3")).status).toBe(0);
  const report = await readFile(junit, "utf8");
  expect(report).toContain('<testsuite name="Login coverage" tests="28" failures="0" skipped="26">');
  expect(report).toContain('<testcase classname="Receiving the code" name="Code sent"/>');
  expect(report).toContain('<skipped message="Request a code as any user, and enter it."/>');
});

test("--fail-under says what is missing and how to meet it, and ends with 1", async () => {
  const junit = freshPath("low.xml");
  const low = await coverage("--fail-under", "50", "--junit", junit);
  expect(low.status).toBe(1);
  expect(low.err).toMatch(/^Only \d+ of 27 login outcomes covered \(\d+ %, required: 50 %\)\. Not covered:\n/);
  expect(low.err).toContain('  Locked: Request a code as any user, and enter it. (coverage.provoke("locked"))\n');
  expect(low.err).not.toContain("Code sent:");
  expect(await readFile(junit, "utf8")).toMatch(/name="at least 50 %"><failure message="\d+ of 27/);
});

test("adds up the files of several runs", async () => {
  const one = freshPath("one.json");
  const other = freshPath("other.json");
  await writeFile(one, (await coverage("--json")).out);
  const client = connect(started.ready.consoleUrl);
  await client.coverage.clear();
  const to = "+12025550101";
  await client.coverage.provoke("serverError", { to, appId: "demo-app" });
  await sendCode(started.ready, to);
  await sendCode(started.ready, to);
  await writeFile(other, (await coverage("--json")).out);
  const sum = JSON.parse((await run(["coverage", one, other, "--json"])).out);
  const counts = sum.items.filter(({ count }: { count: number }) => count > 0);
  expect(counts.map(({ outcome, count }: { outcome: string; count: number }) => [outcome, count])).toEqual([
    ["codeSent", 2],
    ["serverError", 1],
  ]);
  const [sent] = counts;
  const saved = JSON.parse(await readFile(one, "utf8")).items.find(
    ({ outcome }: { outcome: string }) => outcome === "codeSent",
  );
  const newer = JSON.parse(await readFile(other, "utf8")).items.find(
    ({ outcome }: { outcome: string }) => outcome === "codeSent",
  );
  expect(sent).toMatchObject({ firstAt: saved.firstAt, lastAt: newer.lastAt, lastRequestId: newer.lastRequestId });
  expect([sum.met, sum.total]).toEqual([2, 27]);
  const wrong = freshPath("wrong.json");
  await writeFile(wrong, "{}");
  expect(await run(["coverage", wrong])).toMatchObject({
    status: 1,
    err: expect.stringContaining("not a login coverage file"),
  });
  expect((await run(["coverage", freshPath("none.json")])).status).toBe(1);
});

test.each([
  ["--json", "--markdown"],
  ["--fail-under", "101"],
  ["a.json", "--app", "demo-app"],
])("coverage %s %s is wrong usage", async (...args) => {
  expect((await run(["coverage", ...args])).status).toBe(2);
});

const SIGN_UP = `fetch(process.env.STAGEDOOR_AUTH_URL + "/v1/users/session", {
  method: "POST", headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ appId: process.env.STAGEDOOR_APP_ID, user: { phone: "+12025550199" } }),
}).then(() => process.stdout.write("tests"))`;
const node = (script: string): string[] => ["--", process.execPath, "-e", script];

test("exec --coverage prints it after the command, and apart from its output", async () => {
  const file = freshPath("run.json");
  const ended = await run(["exec", "--coverage", "--coverage-out", file, ...node(SIGN_UP)]);
  expect(ended).toMatchObject({ status: 0, out: "tests" });
  expect(ended.err).toMatch(/✓ Signed up +1\n/);
  expect(ended.err).toMatch(/1 of 27 login outcomes covered \(3 %\)\n$/);
  expect((await run(["coverage", file, file])).out).toMatch(/✓ Signed up +2\n/);
  const quiet = await run(["exec", "--coverage-out", file, ...node(SIGN_UP)]);
  expect(quiet).toMatchObject({ status: 0, out: "tests", err: "" });
});

test("exec --coverage=N ends with 1 if fewer were met, but never hides the status of the command", async () => {
  expect((await run(["exec", "--coverage=3", ...node(SIGN_UP)])).status).toBe(0);
  const low = await run(["exec", "--coverage=5", ...node(SIGN_UP)]);
  expect([low.status, low.err]).toEqual([1, expect.stringContaining("required: 5 %")]);
  expect((await run(["exec", "--coverage=5", ...node("process.exit(7)")])).status).toBe(7);
  expect((await run(["exec", "--coverage=all", ...node("")])).status).toBe(2);
  const out = freshPath("no/such/folder");
  expect((await run(["exec", "--coverage-out", out, ...node("")])).status).toBe(0);
  expect(JSON.parse(await readFile(out, "utf8"))).toHaveProperty("items");
  // What cannot be written is said before the command begins.
  const lost = await run(["exec", "--coverage-out", dirname(out), ...node("console.error('began')")]);
  expect([lost.status, lost.err]).toEqual([1, expect.stringContaining("could not be written")]);
  expect(lost.err).not.toContain("began");
});
