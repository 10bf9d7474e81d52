/** The steps of a login, and the failures that each can have. */
import { describe, expect, test } from "vitest";
import type { RequestRow } from "#client/index.ts";
import {
  type Explored,
  type ExploredRun,
  exploredMarkdown,
  KIND_NAMES,
  matrixLines,
} from "#contract/documents/explorations.ts";
import { durationOf, failuresOf, fitting } from "#programs/explore/plan.ts";
import { faultsFor, stepNamed, stepsOf } from "#programs/explore/steps.ts";
import { exploredJunit, newFailures } from "#programs/explore/text.ts";
import { exchangeRow } from "./rows.ts";

const row = (method: string, path: string, status: number, more: Partial<RequestRow> = {}): RequestRow =>
  exchangeRow({ method, path, status, listener: path.startsWith("/v1/users") ? "auth" : "admin", ...more });
const SESSION = "/v1/users/session";
const ROWS = [
  row("POST", "/v1/profiles", 201),
  row("POST", SESSION, 202),
  row("PUT", SESSION, 401, { reason: "passcode_mismatch", check: "rule" }),
  row("PUT", SESSION, 401, { reason: "passcode_mismatch", check: "rule" }),
  row("PUT", SESSION, 200),
  row("GET", "/v1/profiles/3b1c?x=1", 200),
  row("GET", "/v1/profiles", 401, { reason: "unknown_secret", check: "secret" }),
  row("GET", "/.well-known/jwks.json", 200, { listener: "auth" }),
];

describe("the steps", () => {
  test("are the first requests of each operation and outcome, numbered by operation", () => {
    expect(stepsOf(ROWS, false).map(({ name, sendsCode }) => [name, sendsCode])).toEqual([
      ["POST profiles #1", false],
      ["POST session #1", true],
      ["PUT session #1", false],
      ["PUT session #3", false],
      ["GET profile #1", false],
    ]);
  });

  test("with --every are all requests", () => {
    expect(stepsOf(ROWS, true).map(({ name }) => name)).toContain("PUT session #2");
  });

  test("are found by their name", () => {
    const [, , , wanted] = stepsOf(ROWS, false);
    expect(stepNamed("PUT session #3")).toEqual({ ...wanted, sendsCode: undefined });
    for (const wrong of ["PUT session", "PUT sessions #1", "PUT session #0", "PATCH session #1"])
      expect(stepNamed(wrong)).toBeUndefined();
  });

  test("meet their failure after the requests before them", () => {
    const step = stepNamed("PUT session #3");
    if (step === undefined) throw new Error("it is a step");
    const match = { listener: "auth", method: "PUT", path: SESSION };
    expect(faultsFor(step, "lost")).toEqual([
      { match, effect: { delayMs: 0 }, times: 2 },
      { match, effect: { drop: true, after: true }, times: 1 },
    ]);
  });
});

describe("the plan", () => {
  const all = failuresOf(stepsOf(ROWS, false), KIND_NAMES);

  test("has the failures of a code only where one is sent", () => {
    const of = (name: string) => all.filter(({ step }) => step.name === name).map(({ kind }) => kind);
    expect(of("POST session #1")).toEqual(KIND_NAMES);
    expect(of("PUT session #1")).toEqual(["unreached", "lost", "503", "504", "late", "twice"]);
  });

  test("takes what fits, the most telling first", () => {
    expect(durationOf(16, 1_000, 1)).toBeLessThanOrEqual(16 * 1_500);
    expect(durationOf(16, 1_000, 2)).toBeLessThanOrEqual(8 * 1_500);
    const few = fitting(all, 600, 1, 6_000);
    expect(few.map(({ kind }) => kind)).toEqual(["lost", "lost", "lost", "lost", "lost", "504"]);
    expect(fitting(all, 600, 1, undefined)).toBe(all);
  });
});

describe("the result as text", () => {
  const run = (change: Partial<ExploredRun>): ExploredRun => ({
    step: "PUT session #1",
    kind: "lost",
    result: "passed",
    known: false,
    exitCode: 0,
    ms: 900,
    after: { requests: 0, lastStatus: null },
    left: { usedCodes: 0, lostSessions: 0 },
    repeat: "stagedoor explore --only 'PUT session #1:lost' -- npm test",
    ...change,
  });
  const failed = run({
    result: "failed",
    exitCode: 1,
    after: { requests: 2, lastStatus: 401 },
    left: { usedCodes: 1, lostSessions: 1 },
  });
  const result: Explored = {
    version: 1,
    steps: ["POST session #1", "PUT session #1"],
    kinds: ["lost", "503"],
    runs: [run({ step: "POST session #1" }), failed, run({ kind: "503", result: "timedOut", known: true })],
  };

  test("is a matrix", () => {
    expect(matrixLines(result)).toEqual([
      "                 lost  503",
      "POST session #1  ·",
      "PUT session #1   ✗     ⏱",
    ]);
    expect(newFailures(result)).toEqual([failed]);
  });

  test("is Markdown and JUnit", () => {
    const words =
      "sent 2 more requests, last status 401, ended with 1; left: 1 code used, 1 session that the app never got";
    expect(exploredMarkdown(result)).toContain(`(carried out, no response): ${words}\n`);
    const junit = exploredJunit(result);
    expect(junit).toContain('tests="3" failures="1" skipped="1"');
    expect(junit).toContain(
      `<failure message="${words}">stagedoor explore --only 'PUT session #1:lost' -- npm test</failure>`,
    );
  });
});
