/**
 * The README and the tutorial: their commands run block by block, each page in one shell against one server, and print
 * what the page shows.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { printedPattern, setUpCommands, tourSteps } from "./commands.ts";

const README = new URL("../../README.md", import.meta.url);
const CI = new URL("../../.ci/run", import.meta.url);
const markdown = await readFile(README, "utf8");
const tutorial = await readFile(new URL("../../docs/tutorial.md", import.meta.url), "utf8");
const END = "--- end of a step ---";

describe("README", () => {
  test("has less than 900 words", () => {
    expect(markdown.split(/\s+/).length).toBeLessThan(900);
  });

  test("needs two commands for the set-up, and CI runs the second", async () => {
    expect(setUpCommands(markdown)).toEqual(["npm ci && npm start", "npm ci && npm test"]);
    expect(await readFile(CI, "utf8")).toContain("\nnpm ci && npm test");
  });
});

describe.each([
  ["README", tourSteps(markdown)],
  ["docs/tutorial.md", tourSteps(tutorial)],
])("the commands of %s", (_page, steps) => {
  let server: Built;
  let printed: string[] = [];

  beforeAll(async () => {
    server = await startBuilt(["--ephemeral"]);
    const { adminUrl, authUrl, consoleUrl } = server.ready;
    const own: Record<string, string> = { 4010: adminUrl, 4011: authUrl, 4012: consoleUrl };
    const script = steps
      .map(({ commands }) => `${commands}\nprintf '\\n%s\\n' '${END}'`)
      .join("\n")
      // In one pass: the port of an inserted URL may itself start with 4011.
      .replaceAll(/http:\/\/127\.0\.0\.1:(401[012])\b/g, (url, port) => own[port] ?? url);
    const { stdout } = await promisify(execFile)("bash", ["-c", script], { env: cleanEnv() });
    printed = stdout.replaceAll("\r", "").split(END);
  });
  afterAll(() => server.stop());

  test.each(steps.map((step, i) => ({ ...step, i, first: step.commands.split("\n")[0]?.slice(0, 70) })))(
    "$i: $first",
    ({ prints, i }) => {
      expect(prints).toBeDefined();
      expect(printed[i]?.trim()).toMatch(printedPattern(prints ?? ""));
    },
  );
});
