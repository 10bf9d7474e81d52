/**
 * Several workers of Playwright's runner at a time, on one Stagedoor (`workers.spec.ts`); it prints how long a login took.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startStagedoor } from "stagedoor/testing";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { cleanEnv } from "#test/hosts/built.ts";
import { findBrowser, NO_BROWSER } from "#test/support/browser.ts";
import { buildSite } from "./site.ts";
import { LOBBY, WORKERS } from "./workers.ts";

const run = promisify(execFile);
const PLAYWRIGHT = createRequire(import.meta.url).resolve("@playwright/test/cli");
const CONFIG = fileURLToPath(new URL("./playwright.config.ts", import.meta.url));

const annotation = z.object({ type: z.string(), description: z.string() });
const spec = z.object({
  title: z.string(),
  ok: z.boolean(),
  tests: z.array(z.object({ annotations: z.array(annotation), results: z.array(z.object({ workerIndex: z.int() })) })),
});
const report = z.object({ suites: z.array(z.object({ specs: z.array(spec) })), errors: z.array(z.unknown()) });

/** Runs the workers. @param signal ends them. @returns their report; it is written whether they pass or not. */
const runWorkers = async (env: NodeJS.ProcessEnv, signal: AbortSignal) => {
  const dir = await mkdtemp(join(tmpdir(), "front-row-report-"));
  const file = join(dir, "report.json");
  const given = [PLAYWRIGHT, "test", "-c", CONFIG, "--reporter=json", `--output=${join(dir, "output")}`];
  try {
    const options = { signal, env: { ...cleanEnv(), ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file } };
    const failed = await run(process.execPath, given, options).then(
      () => undefined,
      (error: unknown) => error,
    );
    const text = await readFile(file, "utf8").catch(() => {
      throw failed;
    });
    return report.parse(JSON.parse(text));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

const summary = (values: readonly number[]): string => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.toFixed(1);
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms of ${sorted.length}`;
};

test("several workers on one Stagedoor see nothing of each other, and leave nothing", { timeout: 300_000 }, async ({
  skip,
  signal,
}) => {
  const browser = findBrowser();
  if (browser === undefined && process.env["STAGEDOOR_REQUIRE_BROWSER"] !== "1") skip(NO_BROWSER);
  const [{ consoleUrl, client, close }, { folder, remove }] = await Promise.all([startStagedoor(), buildSite()]);
  onTestFinished(async () => {
    await close();
    await remove();
  });
  const before = (await client.status()).counts;
  await client.apps.create({ appId: LOBBY });
  const env = {
    STAGEDOOR_CONSOLE_URL: consoleUrl,
    FRONT_ROW_PAGES: folder,
    ...(browser === undefined ? {} : { CHROME_PATH: browser }),
  };
  const { suites, errors } = await runWorkers(env, signal);
  await client.apps.delete(LOBBY);
  const after = (await client.status()).counts;

  expect(errors).toEqual([]);
  const specs = suites.flatMap((suite) => suite.specs);
  expect(specs.filter(({ ok }) => !ok)).toEqual([]);
  const results = specs.flatMap(({ tests }) => tests.flatMap((found) => found.results));
  expect(new Set(results.map(({ workerIndex }) => workerIndex)).size).toBe(WORKERS);
  expect(after).toEqual(before);

  const times = specs.flatMap(({ tests }) => tests.flatMap((found) => found.annotations));
  for (const what of new Set(times.map(({ type }) => type))) {
    const some = times.filter(({ type }) => type === what).map(({ description }) => Number(description));
    console.log(`${what}, ${WORKERS} at a time: ${summary(some)}`);
  }
});
