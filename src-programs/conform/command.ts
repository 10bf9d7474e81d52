/** `stagedoor conform`: measures what a service does at each decision, and writes matching settings. */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { connect, StagedoorError } from "#client/index.ts";
import { untilAborted } from "#client/signals.ts";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { mergeSettings, type Settings, settings } from "#contract/service/settings.ts";
import { namesIn } from "#contract/validation.ts";
import { environment } from "#server/config.ts";
import { CommandError, type Io, printable, wrongUsage } from "#server/plumbing/io.ts";
import { checked, configOf } from "#server/plumbing/options.ts";
import { readUserFile } from "#server/user-file.ts";
import { type Conformity, conform, driftOf } from "./measure/conform.ts";
import type { Keep } from "./measure/lab.ts";
import { Unobservable } from "./measure/observation.ts";
import { Service } from "./measure/service.ts";
import { createSender, messageOf } from "./sender.ts";
import { driftText, planText, rowText, stoppedText, summaryText } from "./text.ts";

/** @see conformCommand. `secretEnv`: the environment variable with the app secret. `rate`: requests per second. */
export interface ConformOptions {
  readonly adminUrl?: string;
  readonly authUrl?: string;
  readonly appId?: string;
  readonly secretEnv: string;
  readonly username?: string;
  readonly rate: string;
  readonly codesFrom?: string;
  readonly out?: string;
  readonly expect?: string;
  readonly report?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** The run file: what a run has created, so that the next one can delete it. */
const runFile = z.object({
  pid: z.int(),
  adminUrl: z.string(),
  run: z.string(),
  userIds: z.array(z.string()),
  isUnsure: z.boolean(),
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/**
 * @param folder of the user's run files. @param adminUrl of the service. @param appId the app of the profiles.
 * @returns the `leftovers` of the previous run (null: none); `keep` saves those of this run, `done` deletes the file.
 * @throws CommandError if another run is in progress, or the file cannot be read.
 */
const openRuns = async (folder: string, adminUrl: string, appId: string) => {
  const name = createHash("sha256").update(`${adminUrl} ${appId}`).digest("hex").slice(0, 16);
  const file = join(folder, `${name}.json`);
  const text = await readFile(file, "utf8").catch(() => null);
  const parsed = text === null ? null : runFile.safeParse(JSON.parse(text));
  if (parsed?.success === false)
    throw new CommandError(`${file} is not a run file. Delete it once no profile of an earlier run is left.`);
  const leftovers = parsed?.data ?? null;
  if (leftovers !== null && leftovers.pid !== process.pid && isAlive(leftovers.pid))
    throw new CommandError(`Process ${leftovers.pid} is already measuring this service.`);
  const keep: Keep = async (left) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const beside = `${file}.${process.pid}`;
    await writeFile(beside, JSON.stringify({ pid: process.pid, adminUrl, ...left }), { mode: 0o600 });
    await rename(beside, file);
  };
  return { leftovers, keep, done: () => rm(file, { force: true }) };
};

/** After so long without a row, the command says what it is waiting for. */
const SILENCE_MS = 10_000;
const CODE_WAIT_MS = 30_000;

/** @returns a function that waits; it returns early when `ended` aborts. */
const sleeper = (ended: AbortSignal) => async (ms: number) =>
  await sleep(ms, undefined, { signal: ended }).catch(() => undefined);

/** @returns the result of a task. @throws CommandError when `ended` aborts. */
const unlessEnded = <T>(task: Promise<T>, ended: AbortSignal): Promise<T> =>
  untilAborted(task, ended).catch((error) => {
    throw ended.aborted ? new CommandError("Interrupted.") : error;
  });

const urlOf = (text: string | undefined, option: string): string => {
  if (text === undefined) throw wrongUsage(`${option} is required.`);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw wrongUsage(`${option} must be a URL such as https://api.example.com, not "${printable(text)}".`);
  return text.endsWith("/") ? text.slice(0, -1) : text;
};

const rateOf = (text: string): number => {
  const rate = Number(text);
  if (rate > 0 && rate <= 10_000) return rate;
  throw wrongUsage(`--rate must be a number of requests a second, from 0.01 to 10000, not "${printable(text)}".`);
};

const FICTION = /^\+1202555\d{4}$|@example\.com$/i;

/** @returns the settings in a file, nested or with dotted names. */
const readExpected = (file: string): Settings => {
  const bytes = readUserFile(file);
  if (typeof bytes === "string") throw wrongUsage(`${file} cannot be read: ${bytes}`);
  let given: unknown;
  try {
    given = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw wrongUsage(`${file} is not JSON: ${messageOf(error)}`);
  }
  if (!isJsonObject(given)) throw wrongUsage(`${file} must hold an object of settings.`);
  return checked(settings, mergeSettings({}, given), (name) => `${file}: ${name}`, { known: namesIn(settings) });
};

/** @returns settings by path in nested form, as in a fixture file. */
const nested = (flat: Conformity["settings"]): JsonObject => {
  const plain = Object.entries(flat).map(([path, value]) => [path, typeof value === "object" ? [...value] : value]);
  return mergeSettings({}, Object.fromEntries(plain));
};

/** @returns a function that gets the newest code: from a console, or by asking the user. */
const codeReader = ({ codesFrom, username = "" }: ConformOptions, io: Io, ended: AbortSignal) => {
  if (codesFrom === undefined)
    return async (): Promise<string> => {
      const code = (await unlessEnded(io.ask(`Code sent to ${printable(username)}: `), ended))?.trim();
      if (code) return code;
      throw new Unobservable("no code was entered");
    };
  const client = connect(codesFrom);
  let after = 0;
  return async (): Promise<string> => {
    try {
      const { seq, code } = await client.passcodes.next({
        to: username,
        timeoutMs: CODE_WAIT_MS,
        after,
        signal: ended,
      });
      after = seq;
      return code;
    } catch (error) {
      if (error instanceof StagedoorError) throw new Unobservable(`no code came at ${codesFrom}: ${error.message}`);
      throw error;
    }
  };
};

const writeJson = async (file: string | undefined, value: unknown): Promise<void> => {
  if (file === undefined) return;
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`).catch((error: Error) => {
    throw new CommandError(`${file} cannot be written: ${error.message}`);
  });
};

/**
 * Measures a service until it is interrupted.
 * @returns 0, or 1 if settings differ from `expect`, or profiles are left behind.
 * @throws CommandError if the service is unreachable (1), or an option is invalid (2).
 */
export const conformCommand = async (io: Io, ended: AbortSignal, options: ConformOptions): Promise<number> => {
  if (options.dryRun === true) {
    io.out(planText());
    return 0;
  }
  const adminUrl = urlOf(options.adminUrl, "--admin-url");
  const authUrl = urlOf(options.authUrl, "--auth-url");
  const { appId, username = null, secretEnv, json } = options;
  if (appId === undefined) throw wrongUsage("--app-id is required.");
  const secret = environment()[secretEnv];
  if (!secret)
    throw wrongUsage(
      `Put the app secret into the environment variable ${secretEnv}, or name another with --secret-env.`,
    );
  const rate = rateOf(options.rate);
  const expected = options.expect === undefined ? undefined : readExpected(options.expect);
  const { hostname } = new URL(adminUrl);
  if (options.yes !== true) {
    const question = `This creates and deletes profiles at ${hostname}. Type the host to continue: `;
    const typed = await unlessEnded(io.ask(question), ended);
    if (typed?.trim() !== hostname) throw new CommandError("Nothing was changed. Type the host, or use --yes.");
  }
  const runs = await openRuns(join(dirname(configOf({}).caDir), "stagedoor-conform"), adminUrl, appId);
  const run = randomBytes(6).toString("hex");
  const monotonic = (): number => performance.now();
  const send = createSender(ended);
  const isEnded = (): boolean => ended.aborted;
  const parts = { adminUrl, authUrl, secret, appId, rate, send, sleep: sleeper(ended), monotonic, isEnded };
  let asking = "Does the service respond?";
  const alive = setInterval(() => io.err(`Still waiting for: ${asking}`), SILENCE_MS);
  const found = await conform({
    service: new Service(parts),
    run,
    keep: runs.keep,
    leftovers: runs.leftovers,
    random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
    username,
    readCode: username === null ? null : codeReader(options, io, ended),
    tell: (row) => {
      io.progress("");
      if (json !== true) io.out(rowText(row));
    },
    begin: (question) => {
      asking = question;
      alive.refresh();
      io.progress(`${question} …`);
    },
  })
    .catch((error: unknown) => {
      throw error instanceof CommandError ? error : new CommandError(messageOf(error));
    })
    .finally(() => clearInterval(alive));
  io.progress("");
  const { rows, evidence, stopped, left, isTidy } = found;
  if (isTidy) await runs.done();
  const drift = expected === undefined || stopped !== null ? [] : driftOf(rows, expected);
  const wanted = nested(found.settings);
  await writeJson(options.report, { adminUrl, authUrl, appId, run, rows, settings: wanted, evidence, stopped, left });
  if (stopped === null) await writeJson(options.out, wanted);
  const compared = expected === undefined ? {} : { drift };
  if (json === true) io.json({ rows, settings: wanted, ...compared, isTidy, stopped, left });
  else if (stopped === null) io.out([summaryText(found, options.out), expected === undefined ? "" : driftText(drift)]);
  if (stopped !== null || !isTidy) io.err(stoppedText(found));
  if (username !== null && !FICTION.test(username) && json !== true)
    io.err(`Codes were sent to ${printable(username)}.`);
  return drift.length === 0 && isTidy && stopped === null ? 0 : 1;
};
