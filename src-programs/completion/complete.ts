/** Shell completion: the possible next words of a command line, from the definitions of the commands. */
import type { Argument, Command, Option } from "commander";
import { type Whereabouts, withEmulator } from "#server/plumbing/emulator.ts";
import { printable } from "#server/plumbing/io.ts";

/** Names that only the running emulator knows. */
type Names = "apps" | "snapshots" | "faults" | "weather";
/** Looks up such names. @param given the options so far; never throws. */
type Ask = (names: Names, given: Readonly<Record<string, string>>) => Promise<readonly string[]>;

/** Timeout of the look-up in milliseconds: users do not wait longer after pressing Tab. */
const LIMIT_MS = 2_000;

/** @returns the names in the running emulator; empty if there is none, or after the timeout. */
export const namesOf: Ask = async (names, { url, data, app }) => {
  const where: Whereabouts = { url, data };
  try {
    return await withEmulator(where, async (client) => {
      const limit = setTimeout(() => void client.close(), LIMIT_MS);
      try {
        if (names === "apps") return (await client.apps.list()).items.map(({ appId }) => appId);
        if (names === "weather") return (await client.weather.get({ appId: app })).known.map(({ name }) => name);
        if (names === "faults") return (await client.faults.list({ appId: app })).items.map(({ id }) => id);
        return (await client.snapshots.list({ appId: app })).items.map(({ name }) => name);
      } finally {
        clearTimeout(limit);
      }
    });
  } catch {
    return [];
  }
};

/** The parsed words before the current one. */
interface Before {
  command: Command;
  /** The option whose value is next. */
  option: Option | undefined;
  /** Words that are neither options nor their values. */
  readonly operands: string[];
  readonly given: Record<string, string>;
  /** No options after this. */
  ended: boolean;
}

const optionOf = (command: Command, flag: string): Option | undefined =>
  command.options.find(({ long, short }) => long === flag || short === flag);

const takesValue = (option: Option | undefined): option is Option =>
  option !== undefined && (option.required || option.optional);

const readWord = (before: Before, word: string): void => {
  const { command, option, operands, given } = before;
  const isFlag = !before.ended && word.startsWith("-") && word !== "-";
  if (option !== undefined && !(isFlag && (option.optional || option.variadic))) {
    given[option.attributeName()] = word;
    if (!option.variadic) before.option = undefined;
  } else if (!isFlag) {
    const next = operands.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    if (next === undefined) operands.push(word);
    else before.command = next;
  } else if (word === "--") before.ended = true;
  else {
    const [flag = "", value] = word.split(/=(.*)/s);
    const named = optionOf(command, flag);
    before.option = value === undefined && takesValue(named) ? named : undefined;
    if (named !== undefined && before.option === undefined) given[named.attributeName()] = value ?? "";
  }
};

type Line = readonly [word: string, about: string];
/** Makes the shell complete a file name. */
const FILES: readonly Line[] = [[":files", ""]];

/** What to look up for an argument of a command. */
const ASKED: ReadonlyMap<string, Names> = new Map([
  ["snapshot restore", "snapshots"],
  ["snapshot delete", "snapshots"],
  ["snapshot save", "snapshots"],
  ["fault clear", "faults"],
  ["weather ", "weather"],
]);

const namesAsLines = async (
  names: Names | undefined,
  given: Before["given"],
  about: string,
  ask: Ask,
): Promise<Line[]> => (names === undefined ? [] : (await ask(names, given)).map((name): Line => [name, about]));

const valueLines = async (option: Option, { given }: Before, ask: Ask): Promise<readonly Line[]> => {
  if (option.argChoices !== undefined) return option.argChoices.map((choice) => [choice, option.description]);
  if (/[<[](FILE|DIR)/.test(option.flags)) return FILES;
  return await namesAsLines(option.attributeName() === "app" ? "apps" : undefined, given, "app", ask);
};

const argumentLines = async (argument: Argument, before: Before, ask: Ask): Promise<readonly Line[]> => {
  if (argument.argChoices !== undefined) return argument.argChoices.map((choice) => [choice, argument.description]);
  if (/^(FILE|CMD)$/.test(argument.name())) return FILES;
  const names = ASKED.get(`${before.command.name()} ${before.operands.join(" ")}`);
  return await namesAsLines(names, before.given, argument.description, ask);
};

const optionLines = ({ command, given }: Before): Line[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => option.variadic || given[option.attributeName()] === undefined)
    .map(({ long, short, description }) => [long ?? short ?? "", description]);

const linesFor = async (before: Before, word: string, ask: Ask): Promise<readonly Line[]> => {
  const { command, operands, ended, option } = before;
  const isFlag = word.startsWith("-") && !ended;
  if (option !== undefined && !(isFlag && (option.optional || option.variadic)))
    return await valueLines(option, before, ask);
  if (isFlag && word.includes("=")) {
    const flag = word.slice(0, word.indexOf("="));
    const named = optionOf(command, flag);
    if (!takesValue(named)) return [];
    const lines = await valueLines(named, before, ask);
    return lines === FILES ? FILES : lines.map(([value, about]) => [`${flag}=${value}`, about]);
  }
  if (isFlag) return optionLines(before);
  if (command.commands.length > 0 && operands.length === 0)
    return command
      .createHelp()
      .visibleCommands(command)
      .map((one) => [one.name(), one.description()]);
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[operands.length] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? [] : await argumentLines(argument, before, ask);
};

/**
 * @param words after the program name; the last one is incomplete, possibly empty.
 * @returns a line per possible word, with a tab and its description; `:files` for a file name.
 */
export const completionsOf = async (program: Command, words: readonly string[], ask: Ask): Promise<string> => {
  const before: Before = { command: program, option: undefined, operands: [], given: {}, ended: false };
  for (const word of words.slice(0, -1)) {
    // The arguments of the command that exec runs are not ours.
    if (before.operands.length > 0 && before.command.registeredArguments[0]?.name() === "CMD") before.ended = true;
    readWord(before, word);
  }
  const lines = await linesFor(before, words.at(-1) ?? "", ask);
  return lines.map(([word, about]) => `${printable(word)}\t${printable(about)}\n`).join("");
};
