/** Simultaneous starts on one directory: exactly one wins, the others exit with status 1 and name it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findStartLine } from "#contract/control/ready.ts";
import { CLI, cleanEnv } from "#test/hosts/built.ts";
import type { Trial } from "./trial.ts";

/** What the starts find. */
const SITUATIONS = ["a fresh folder", "a stale lock", "a lock with the pid of one of them"] as const;
type Situation = (typeof SITUATIONS)[number];

/** The shell waits for a line, so that all begin together; it keeps its pid when it becomes the program. */
const SCRIPT = 'read -r go; exec "$0" "$@"';
const ARGS = [
  "start",
  "--headless",
  "--json",
  "--admin-port",
  "0",
  "--auth-port",
  "0",
  "--console-port",
  "0",
  "--data",
];

interface Starter {
  readonly pid: number;
  go(): void;
  kill(): Promise<unknown>;
  /** The console URL of a running one, or its exit status and output. */
  readonly outcome: Promise<{ readonly url: string } | { readonly status: number | null; readonly said: string }>;
}

const prepare = (dir: string): Starter => {
  const child = spawn("/bin/sh", ["-c", SCRIPT, process.execPath, CLI, ...ARGS, dir], { env: cleanEnv() });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  let out = "";
  const exited = once(child, "close");
  const outcome = new Promise<Awaited<Starter["outcome"]>>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      // A refused one prints a line too, which names the holder.
      const line = findStartLine(out);
      if (line?.event === "ready") resolve({ url: line.consoleUrl });
    });
    exited.then(([status]) => resolve({ status: typeof status === "number" ? status : null, said }), reject);
  });
  return {
    pid: child.pid ?? 0,
    go: () => void child.stdin.end("go\n"),
    kill: () => {
      child.kill("SIGKILL");
      return exited;
    },
    outcome,
  };
};

const round = async (trial: Trial, many: number, situation: Situation): Promise<void> => {
  const dir = path.join(trial.newDir(), "data");
  const starters = Array.from({ length: many }, () => prepare(dir));
  const label = `${many} at once on ${situation}`;
  if (situation !== "a fresh folder") {
    const pid = situation === "a stale lock" ? 2 ** 22 + 7 : trial.chance.pick(starters).pid;
    mkdirSync(dir, { mode: 0o700 });
    writeFileSync(path.join(dir, "lock.json"), JSON.stringify({ pid, instance: "0".repeat(24), consoleUrl: null }));
  }
  for (const one of starters) one.go();
  const outcomes = await Promise.all(starters.map(async (one) => ({ pid: one.pid, ...(await one.outcome) })));
  await Promise.all(starters.map((one) => one.kill()));
  const winners = outcomes.flatMap((one) => ("url" in one ? [one] : []));
  trial.count(`rounds of ${many}`);
  const [winner] = winners;
  if (!trial.check(winners.length === 1, `${label}: ${winners.length} won`) || winner === undefined) return;
  for (const one of outcomes) {
    if ("url" in one) continue;
    trial.check(one.status === 1, `${label}: a loser exited with ${one.status}: ${one.said}`);
    trial.check(
      one.said.includes(`process ${winner.pid} `),
      `${label}: the winner ${winner.pid} is not named: ${one.said}`,
    );
    const isNamed = one.said.includes(winner.url);
    trial.check(isNamed || one.said.includes("still starting"), `${label}: ${winner.url} is not named: ${one.said}`);
    trial.count(isNamed ? "refused, naming pid and URL" : "refused, naming the pid of one still starting");
  }
};

/** @param pairs rounds of two per situation. @param dozens rounds of twelve. */
export const startersAtOnce =
  (pairs: number, dozens: number) =>
  async (trial: Trial): Promise<void> => {
    for (const situation of SITUATIONS) {
      for (let n = 0; n < pairs; n += 1) await round(trial, 2, situation);
      for (let n = 0; n < dozens; n += 1) await round(trial, 12, situation);
    }
  };
