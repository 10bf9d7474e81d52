/** The workflows of .github: well-formed, pinned, with least permissions, and true to this checkout. `actionlint` where it is installed. */
import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import pkg from "../../package.json" with { type: "json" };

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const GITHUB = join(CHECKOUT, ".github");
const names = (await readdir(join(GITHUB, "workflows"))).sort();
const texts = await Promise.all(names.map((name) => readFile(join(GITHUB, "workflows", name), "utf8")));

const permissions = z.record(z.string(), z.enum(["read", "write", "none"]));
const step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const job = z.object({
  "timeout-minutes": z.number().max(60).optional(),
  permissions: permissions.optional(),
  uses: z.string().optional(),
  steps: z.array(step).default([]),
});
const workflow = z.object({
  permissions,
  concurrency: z.object({ group: z.string() }),
  jobs: z.record(z.string(), job),
});
const files = names.map((name, at) => ({ name, text: texts[at] ?? "", ...workflow.parse(parse(texts[at] ?? "")) }));
const scripts = new Set(Object.keys(pkg.scripts));

describe.each(files)("$name", ({ text, permissions: top, jobs }) => {
  const steps = Object.values(jobs).flatMap((one) => one.steps);

  test("pins every action to a commit, with its version in a comment", () => {
    for (const [, used = ""] of text.matchAll(/\buses: (.*)/g))
      expect(used).toMatch(/^(\.\/\.github\/workflows\/\w+\.yml|[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
    for (const { uses, with: options } of steps)
      if (uses?.startsWith("actions/checkout@")) expect(options).toMatchObject({ "persist-credentials": false });
  });

  test("has no write permission unless a job declares it, and time limits", () => {
    expect(Object.values(top)).not.toContain("write");
    for (const [name, one] of Object.entries(jobs))
      expect(one["timeout-minutes"] ?? one.uses, `${name} has no time limit`).toBeDefined();
  });

  test("calls only existing scripts, and expands no expression in a shell", () => {
    const runs = steps.flatMap(({ run }) => run ?? []).join("\n");
    expect(runs).not.toContain("${{");
    for (const [, name = ""] of runs.matchAll(/\bnpm run ([\w:-]+)/g)) expect(scripts).toContain(name);
    for (const [, path = ""] of runs.matchAll(/\b(?:node|-f) ([\w./-]+)/g))
      expect(existsSync(join(CHECKOUT, path)), path).toBe(true);
  });
});

test("one version of each action everywhere", () => {
  const pins = new Map<string, Set<string>>();
  for (const [, repository = "", pin = ""] of texts.join("\n").matchAll(/\buses: ([\w-]+\/[\w-]+)\S*@(.*)/g))
    pins.set(repository, (pins.get(repository) ?? new Set()).add(pin));
  for (const [repository, found] of pins) expect([...found], repository).toHaveLength(1);
});

test("CI runs the oldest Node that is supported, on all three systems", async () => {
  const { jobs } = z
    .object({
      jobs: z.object({ test: z.object({ strategy: z.object({ matrix: z.record(z.string(), z.string().array()) }) }) }),
    })
    .parse(parse(texts[names.indexOf("ci.yml")] ?? ""));
  const { os = [], node = [] } = jobs.test.strategy.matrix;
  expect(os.map((name) => name.split("-")[0])).toEqual(["ubuntu", "macos", "windows"]);
  expect(node).toEqual([pkg.engines.node.slice(2), "22", "24", "26"]);
  const nvmrc = (await readFile(join(CHECKOUT, ".nvmrc"), "utf8")).trim();
  expect(pkg.engines.node).toMatch(new RegExp(`^>=${nvmrc}\\.`));
});

test("forms and the list of dependencies to update are YAML", async () => {
  const forms = (await readdir(join(GITHUB, "ISSUE_TEMPLATE"))).map((name) => join("ISSUE_TEMPLATE", name));
  for (const name of [...forms, "dependabot.yml"])
    expect(parse(await readFile(join(GITHUB, name), "utf8")), name).toBeTypeOf("object");
});

test("actionlint finds nothing", async ({ skip }) => {
  if (spawnSync("actionlint", ["-version"]).status !== 0) skip("actionlint is not installed");
  await promisify(execFile)("actionlint", ["-no-color"], { cwd: CHECKOUT });
});
