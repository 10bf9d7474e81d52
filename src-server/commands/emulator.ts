/**
 * The running emulator, as the commands that talk to it find it and ask it (CONTRACT 6 and 7).
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { errorBody, fieldErrorsBody } from "#contract/problems.ts";
import { type Environment, environment, readConfig } from "#server/config.ts";
import { CommandError, printable } from "./io.ts";

/** Options of every command that talks to a running emulator. */
export interface Whereabouts {
  readonly url?: string | undefined;
  readonly data?: string | undefined;
}

/** A running emulator. */
export interface Emulator {
  /** The console's URL, without a slash at its end. */
  readonly url: string;
  /** The access token of a console that is open to other machines. */
  readonly token: string | undefined;
  /** How it was found, for errors. */
  readonly from: string;
}

/** What the emulator answered. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

const lockFile = z.object({ pid: z.int().nullish(), consoleUrl: z.string().nullish() });

/** @param url of the console, as start prints it: with `?access_token=…` if it asks for one. */
const emulatorAt = (text: string, from: string, env: Environment): Emulator => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandError(`${from} must be a URL such as http://127.0.0.1:4012, not "${printable(text)}".`);
  const token = url.searchParams.get("access_token") ?? (env.STAGEDOOR_ACCESS_TOKEN || undefined);
  return { url: `${url.origin}${url.pathname}`.replace(/\/+$/, ""), token, from };
};

const fromLock = async (dataDir: string, env: Environment): Promise<Emulator | undefined> => {
  const file = join(dataDir, "lock.json");
  try {
    const { consoleUrl } = lockFile.parse(JSON.parse(await readFile(file, "utf8")));
    return consoleUrl ? emulatorAt(consoleUrl, file, env) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * @param where what the command line gave.
 * @returns the emulator named by `--url`, else by STAGEDOOR_CONSOLE_URL, else by the lock file in the data directory; else,
 * if no directory was named, the one on the default port, which may keep its data in memory.
 * @throws CommandError if there is none.
 */
export const findEmulator = async (where: Whereabouts, env: Environment = environment()): Promise<Emulator> => {
  if (where.url !== undefined) return emulatorAt(where.url, "--url", env);
  if (env.STAGEDOOR_CONSOLE_URL) return emulatorAt(env.STAGEDOOR_CONSOLE_URL, "STAGEDOOR_CONSOLE_URL", env);
  const read = readConfig({ data: where.data }, env);
  if ("errors" in read) throw new CommandError(read.errors.join("\n"));
  const { dataDir, consolePort } = read.config;
  const holder = await fromLock(dataDir, env);
  if (holder !== undefined) return holder;
  if (where.data === undefined && !env.STAGEDOOR_DATA && consolePort !== 0)
    return emulatorAt(`http://127.0.0.1:${consolePort}`, "the default port", env);
  throw new CommandError(
    `No running Stagedoor holds ${dataDir}. Start one with \`stagedoor start\`, or name its console with --url.`,
  );
};

const whyUnreachable = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ECONNREFUSED") return "nothing listens there";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the name is not known";
  return code || (cause instanceof Error ? cause.message : String(error));
};

/**
 * Asks the control API.
 * @param path below `/emulator/v1/`. @param more `body` is JSON text; an undefined entry of `query` is left out.
 * @returns whatever it answered. @throws CommandError if it cannot be reached.
 */
export const ask = async (
  emulator: Emulator,
  method: "GET" | "PUT" | "POST" | "DELETE",
  path: string,
  more: { query?: Readonly<Record<string, string | undefined>>; body?: string; accept?: string } = {},
): Promise<Answer> => {
  const url = new URL(`${emulator.url}/emulator/v1/${path}`);
  for (const [name, value] of Object.entries(more.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, value);
  const headers = new Headers({ Accept: more.accept ?? "application/json" });
  if (emulator.token !== undefined) headers.set("Authorization", `Bearer ${emulator.token}`);
  if (more.body !== undefined) headers.set("Content-Type", "application/json");
  try {
    const response = await fetch(url, { method, headers, body: more.body ?? null, redirect: "error" });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const found = emulator.from.startsWith("--") ? "" : ` (from ${emulator.from})`;
    throw new CommandError(
      `No Stagedoor answers at ${emulator.url}${found}: ${whyUnreachable(error)}. Start it with \`stagedoor start\`.`,
    );
  }
};

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** @returns what is wrong by field, if the answer is a 422. */
export const fieldsOf = (answer: Answer): Readonly<Record<string, readonly string[]>> | undefined =>
  answer.status === 422 ? fieldErrorsBody.safeParse(json(answer.text)).data : undefined;

/** @returns a refusal in words, a line a field. */
export const refusal = (answer: Answer): string => {
  const fields = fieldsOf(answer);
  if (fields !== undefined)
    return Object.entries(fields)
      .flatMap(([field, texts]) => texts.map((text) => printable(`${field}: ${text}`)))
      .join("\n");
  const body = errorBody.safeParse(json(answer.text)).data;
  if (body === undefined)
    return `The answer was ${answer.status}, and not one of Stagedoor's: is this its console URL?`;
  return printable(`${body.instruction} (${answer.status} ${body.message})`);
};

/** @returns the answer's body. @throws CommandError if the answer is a refusal. */
export const accepted = (answer: Answer): string => {
  if (answer.status >= 200 && answer.status < 300) return answer.text;
  throw new CommandError(refusal(answer));
};

/**
 * @param shape what the body must be. @returns the body, parsed.
 * @throws CommandError if the answer is a refusal, or no Stagedoor's.
 */
export const acceptedJson = <T>(answer: Answer, shape: z.ZodType<T>): T => {
  const parsed = shape.safeParse(json(accepted(answer)));
  if (parsed.success) return parsed.data;
  throw new CommandError("The answer is not one of Stagedoor's: is this its console URL?");
};
