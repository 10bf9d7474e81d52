/// <reference path="../helper/raw.d.ts" />
/** What shows that a command is a suite that asserts, and not one login that tries as a user does; its runner's retries. */
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { RequestRow } from "#client/index.ts";
import type { ExploredRun } from "#contract/documents/explorations.ts";
import { many } from "#contract/words/words.ts";
import noRetries from "./files/no-retries.cjs?raw";
import noReruns from "./files/stagedoor_explore.py?raw";

const NODE_FILE = "no-retries.cjs";
const PYTHON_MODULE = "stagedoor_explore";

/** Writes what runners load into the folder of an exploration. */
export const writeHooks = async (folder: string): Promise<void> => {
  await writeFile(join(folder, NODE_FILE), noRetries);
  await writeFile(join(folder, `${PYTHON_MODULE}.py`), noReruns);
};

/** @returns an environment in which Playwright, Vitest, Jest and pytest repeat no test. */
export const withoutRetries = (env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv => {
  const joined = (name: string, by: string, text: string) => [env[name], text].filter(Boolean).join(by);
  return {
    ...env,
    NODE_OPTIONS: joined("NODE_OPTIONS", " ", `--require ${JSON.stringify(join(folder, NODE_FILE))}`),
    PYTHONPATH: joined("PYTHONPATH", delimiter, folder),
    PYTEST_PLUGINS: joined("PYTEST_PLUGINS", ",", PYTHON_MODULE),
  };
};

/** @param mark of a run. @returns which scripts its Nodes began, a line each. */
export const scriptsOf = async (mark: string): Promise<readonly string[]> =>
  (await readFile(`${mark}log`, "utf8").catch(() => "")).split("\n").filter(Boolean);

/** What runners print when they repeat a test: Playwright, Vitest, Jest, pytest. */
const RETRIED = /\bRetry #\d+|\(retry x\d+\)|^ *RETRY \d+|\b[1-9]\d* rerun/m;

/** A run, as far as it shows whether something was repeated. */
interface Seen {
  readonly output: string;
  readonly scripts: readonly string[];
}

const countsOf = (texts: readonly string[]): ReadonlyMap<string, number> =>
  texts.reduce((counts, text) => counts.set(text, (counts.get(text) ?? 0) + 1), new Map<string, number>());

/** @returns whether a failed test was repeated, or a script begun again that the first run began less often. */
export const isRetried = (first: Seen, { output, scripts }: Seen): boolean => {
  const before = countsOf(first.scripts);
  return (
    RETRIED.test(output) || [...countsOf(scripts)].some(([script, count]) => count > (before.get(script) ?? count))
  );
};

/** @param rows of the first run, oldest first. @returns what they say about the command. */
export const loginNotices = (rows: readonly RequestRow[]): readonly string[] => {
  const ids = rows.flatMap(({ login }) => (login === null ? [] : [login.id]));
  const logins = [...new Set(ids)];
  if (logins.length < 2) return [];
  const isParallel = logins.some((id, n) =>
    logins.slice(n + 1).some((other) => ids.indexOf(other) < ids.lastIndexOf(id)),
  );
  return isParallel
    ? [
        `The first run had ${logins.length} logins, some at the same time: which of them fails differs from run to run. Run one test at a time (Playwright: --workers 1), or explore one.`,
      ]
    : [
        `The first run had ${logins.length} logins. A step is a request of any of them: to see what one login does, explore one test.`,
      ];
};

/** @param retried how many runs repeated something. @returns what the runs say about the command. */
export const runNotices = (runs: readonly ExploredRun[], retried: number): readonly string[] => {
  const steps = [...new Set(runs.map(({ step }) => step))].filter((step) => {
    const of = runs.filter((run) => run.step === step);
    return of.some(({ result }) => result === "missed") && of.some(({ result }) => result !== "missed");
  });
  const unsteady =
    steps.length === 0
      ? []
      : [`Some requests came only in some runs: ${steps.join(", ")}. The command does not do the same each time.`];
  if (retried === 0) return unsteady;
  return [
    ...unsteady,
    `In ${many(retried, "run")} something was run again after it had failed, so it may pass although a user gets stuck. Turn that off (--retries 0, --retry 0, --reruns 0), or explore a script that does not start over.`,
  ];
};
