/** What an exploration is to do, read from the options of the command. */
import { mkdir } from "node:fs/promises";
import { type Explored, explored, isFailure, KIND_NAMES, type Kind } from "#contract/documents/explorations.ts";
import { readJson } from "#contract/words/json-text.ts";
import { bytesOf, fileText } from "#server/fixtures/file-text.ts";
import { CommandError, type Io, printable, wrongUsage } from "#server/plumbing/io.ts";
import { durationMs, wholeNumber } from "#server/plumbing/options.ts";
import { tryWhole } from "#server/plumbing/write-whole.ts";
import { type Failure, isKind, stepNamed } from "./steps.ts";

// biome-ignore format: a list
type TextName =
  | "kinds" | "only" | "minutes" | "known" | "jobs" | "timeout" | "repeat"
  | "markdown" | "json" | "junit" | "out" | "import" | "adminPort" | "authPort"
  | "consolePort" | "rest" | "country" | "encoding";
/** @see exploreCommand */
export interface ExploreOptions extends Readonly<Partial<Record<TextName, string>>> {
  readonly every?: boolean;
  /** @see guard */
  readonly guard?: boolean;
  readonly fixtures?: readonly string[];
  readonly map?: readonly string[];
}

const kindsIn = (text: string | undefined): readonly Kind[] => {
  if (text === undefined) return KIND_NAMES;
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !isKind(name));
  if (unknown === undefined) return names.filter(isKind);
  throw wrongUsage(`--kinds has no kind "${printable(unknown)}". Kinds: ${KIND_NAMES.join(", ")}.`);
};

const failureIn = (text: string): Failure => {
  const at = text.lastIndexOf(":");
  const step = stepNamed(text.slice(0, at).trim());
  const kind = text.slice(at + 1).trim();
  if (step !== undefined && isKind(kind)) return { step, kind };
  throw wrongUsage(`--only must be a step and a kind, such as 'PUT session #1:lost', not "${printable(text)}".`);
};

const readKnown = (file: string): Explored => {
  const bytes = bytesOf(file);
  if (typeof bytes === "string") throw new CommandError(`${file}: ${bytes}`);
  const { text, error } = fileText(bytes);
  const read = error === undefined ? readJson(text) : undefined;
  const parsed = read !== undefined && "value" in read ? explored.safeParse(read.value) : undefined;
  if (parsed?.success) return parsed.data;
  throw new CommandError(
    `${file} is not the result of an exploration. Write one with \`stagedoor explore --json FILE\`.`,
  );
};

const repeated = ({ fixtures, import: file, adminPort, authPort, consolePort }: ExploreOptions): readonly string[] => [
  ...(fixtures ?? []).flatMap((name) => ["--fixtures", name]),
  ...Object.entries({
    import: file,
    "admin-port": adminPort,
    "auth-port": authPort,
    "console-port": consolePort,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
];

/** Reads the options, and tries whether the files can be written. @throws CommandError if one is wrong, or a file cannot be read or written. */
export const orderOf = async (io: Io, words: readonly string[], options: ExploreOptions) => {
  const { only, minutes, known: knownFile, timeout, markdown, json, junit, out } = options;
  if (words[0] === undefined || words[0] === "") throw wrongUsage("The command is empty.");
  const kinds = kindsIn(options.kinds);
  const ports = [options.adminPort, options.authPort, options.consolePort];
  const hasPort = ports.some((port) => port !== undefined && port !== "0");
  const asked = wholeNumber(options.jobs, "--jobs", 1, 64) ?? 1;
  const repeat = wholeNumber(options.repeat, "--repeat", 1, 100) ?? 1;
  if (hasPort && asked > 1) io.err("One run at a time: the ports are given.");
  const mostMs = minutes === undefined ? undefined : durationMs(`${minutes}m`, "--minutes", 1);
  const timeoutMs = timeout === undefined ? undefined : durationMs(timeout, "--timeout", 1);
  const known = knownFile === undefined ? [] : readKnown(knownFile).runs.filter(isFailure);
  const one = only === undefined ? undefined : failureIn(only);
  for (const file of [markdown, json, junit]) if (file !== undefined) await tryWhole(file);
  if (out !== undefined) await mkdir(out, { recursive: true });
  return {
    words,
    kinds,
    isEvery: options.every === true,
    only: one,
    jobs: hasPort ? 1 : asked,
    repeat,
    mostMs,
    timeoutMs,
    /** What failed in the exploration that is known, as `STEP:KIND`. */
    wasFailing: new Set<string>(known.map(({ step, kind }) => `${step}:${kind}`)),
    /** Options that a command needs to repeat a run. */
    repeated: repeated(options),
    files: { markdown, json, junit, out },
  };
};
export type Order = Awaited<ReturnType<typeof orderOf>>;
