/** `stagedoor explore`: what breaks a fragile login, and nothing that breaks a robust one. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshPath, runAlone } from "#test/cli/support.ts";
import { CHECKOUT } from "#test/client/installed.ts";

const PROGRAM = join(CHECKOUT, "test/programs/explore/program.mjs");
const explore = async (...args: readonly string[]) => await runAlone(["explore", ...args]);
const login = (kind: string): readonly string[] => ["--", process.execPath, PROGRAM, kind];

describe("a fragile login", () => {
  test("is broken by what it cannot repeat, and by nothing else", { timeout: 240_000 }, async () => {
    const [json, markdown, junit, out] = ["a.json", "a.md", "a.xml", "out"].map((name) => freshPath(name));
    if (json === undefined || markdown === undefined || junit === undefined || out === undefined)
      throw new Error("four paths");
    const files = ["--json", json, "--markdown", markdown, "--junit", junit, "--out", out];
    const ended = await explore(
      "--kinds",
      "unreached,lost,503,504,twice,twocodes",
      "--jobs",
      "2",
      ...files,
      ...login("fragile"),
    );
    expect(ended.status).toBe(1);
    expect(ended.err).toMatch(/^11 runs, about \d+ s with 2 jobs\.\n/);
    const result = JSON.parse(await readFile(json, "utf8"));
    const failed = result.runs.filter((run: { result: string }) => run.result !== "passed");
    expect(failed.map((run: { step: string; kind: string }) => `${run.step}:${run.kind}`)).toEqual([
      "POST session #1:twocodes",
      "PUT session #1:lost",
      "PUT session #1:504",
      "PUT session #1:twice",
    ]);
    const [second, ...lost] = failed;
    // The newer code is sent between the reading of the first and its use.
    expect(second.after).toEqual({ requests: 1, repetitions: 0, lastStatus: 401, lastReason: "passcode_replaced" });
    for (const run of lost) {
      expect(run.left).toEqual({ usedCodes: 1, lostSessions: 1, signedIn: false });
      expect(run.after.lastReason).toBe("passcode_used");
    }
    expect(ended.out).toContain("PUT session #1   ");
    expect(ended.out).not.toContain("gave up after its first try");
    expect(await readFile(markdown, "utf8")).toContain("| PUT session #1 | · | ✗ | · | ✗ | ✗ |  |");
    expect(await readFile(junit, "utf8")).toContain('failures="4"');
    expect((await readdir(out)).sort()).toEqual([
      "exploration.json",
      ...["post-session-1-twocodes", "put-session-1-504", "put-session-1-lost", "put-session-1-twice"].flatMap(
        (name) => [`${name}.json`, `${name}.txt`],
      ),
    ]);
    // One file has the login of each run; the JSON for a repository has none.
    const whole = JSON.parse(await readFile(join(out, "exploration.json"), "utf8"));
    const lean = whole.runs.map(({ film, ...run }: { film: { kind: string } }) => {
      expect(film.kind).toBe("stagedoor-login");
      return run;
    });
    expect({ ...whole, runs: lean }).toEqual(result);
    expect(JSON.parse(await readFile(join(out, "put-session-1-lost.json"), "utf8")).kind).toBe("stagedoor-login");
    // The line that repeats it does, and what is known is no failure.
    const [first] = lost;
    expect(first.repeat).toContain("--only 'PUT session #1:lost' --");
    expect((await explore("--only", "PUT session #1:lost", ...login("fragile"))).status).toBe(1);
    const again = await explore("--kinds", "lost", "--known", json, ...login("fragile"));
    expect([again.status, again.out]).toEqual([0, expect.stringContaining("(known)")]);
  });
});

test("a robust login is broken by nothing; its second exploration is equal", { timeout: 240_000 }, async () => {
  const results: unknown[] = [];
  for (let n = 0; n < 2; n++) {
    const json = freshPath("robust.json");
    const ended = await explore("--kinds", "lost,504,twice,nocode", "--jobs", "2", "--json", json, ...login("robust"));
    expect([ended.status, ended.out]).toEqual([0, expect.stringContaining("7 of 7 runs passed")]);
    const { runs, ...rest } = JSON.parse(await readFile(json, "utf8"));
    results.push([rest, runs.map(({ ms: _ms, ...run }: { ms: number }) => run)]);
  }
  expect(results[1]).toEqual(results[0]);
});

describe("the status", () => {
  test("is the command's own if it fails without a failure", async () => {
    const ended = await explore("--", process.execPath, "-e", "console.log('no'); process.exit(7)");
    expect([ended.status, ended.out]).toEqual([7, "no\n"]);
  });

  test("is 127 if there is no such command, and 1 if it sends nothing", async () => {
    expect((await explore("--", "no-such-program-here")).status).toBe(127);
    expect((await explore("--", process.execPath, "-e", "0")).err).toContain("sent no request that can fail");
  });

  test.each([
    [["--kinds", "lost,slow"], 'no kind "slow"'],
    [["--only", "PUT session"], "must be a step and a kind"],
    [["--jobs", "0"], "--jobs"],
  ])("is 2 for %j", async (args, words) => {
    const ended = await explore(...args, ...login("robust"));
    expect([ended.status, ended.err]).toEqual([2, expect.stringContaining(words)]);
  });
});
