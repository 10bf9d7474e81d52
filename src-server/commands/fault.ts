/** `stagedoor fault add|list|clear`: simulated failures (CONTRACT 13). */
import type { Fault } from "#client/records.ts";
import { type FaultInput, faultInput } from "#contract/faults.ts";
import { fieldErrors } from "#contract/validation.ts";
import { durationMs } from "./duration.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { type Io, print, printable, wrongUsage } from "./io.ts";

/** @see fault */
export interface FaultOptions extends Whereabouts {
  readonly app?: string | undefined;
  readonly listener?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly to?: string | undefined;
  readonly times?: string | undefined;
  readonly delay?: string | undefined;
  readonly status?: string | undefined;
  readonly body?: string | undefined;
  readonly reason?: string | undefined;
  readonly drop?: true | undefined;
  readonly reset?: true | undefined;
  readonly undelivered?: true | undefined;
  readonly json?: boolean | undefined;
}

/** @returns the entries that are not undefined. */
const given = (entries: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));

const jsonOrText = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
};

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

/** @throws CommandError with errors by option name. */
const inputOf = (options: FaultOptions): FaultInput => {
  const { app: appId, listener, method, path, to, drop, reset, undelivered, reason } = options;
  const delayMs = options.delay === undefined ? undefined : durationMs(options.delay, "--delay");
  const ends = { status: numberOf(options.status), body: jsonOrText(options.body), reason, drop, reset, undelivered };
  const parsed = faultInput.safeParse(
    {
      match: given({ appId, listener, method: method?.toUpperCase(), path, to }),
      effect: given({ delayMs, ...ends }),
      ...given({ times: numberOf(options.times) }),
    },
    { reportInput: true },
  );
  if (parsed.success) return parsed.data;
  const lines = Object.entries(fieldErrors(parsed.error)).map(([field, texts]) => {
    const option = field
      .replace(/^(match|effect)\./, "")
      .replace("delayMs", "delay")
      .replace("appId", "app");
    const what = field === "effect" ? "A fault needs an effect: it" : `--${option}`;
    return `${what} ${texts.join(", ")}`;
  });
  throw wrongUsage(printable(lines.join("\n")));
};

const faultLine = ({ id, match, effect, times, used }: Fault): string => {
  const { method = "any method", path = "any path", listener, appId, to } = match;
  const words = Object.entries(effect).map(([name, value]) =>
    value === true ? name : `${name} ${JSON.stringify(value)}`,
  );
  const where = [listener, method, path, appId, to].filter((word) => word !== undefined).join(" ");
  return `${id}  ${where}  ${words.join(", ")}  used ${used}${times === null ? "" : ` of ${times}`}`;
};

/**
 * Adds a fault, lists faults, or deletes one or all.
 * @param id of the fault for `clear`; absent: all, or those of `--app`. @returns 0. @throws CommandError
 */
export const fault = async (action: string, id: string | undefined, options: FaultOptions, io: Io): Promise<number> => {
  const of = options.app === undefined ? {} : { appId: options.app };
  if (id !== undefined && action !== "clear") throw wrongUsage(`fault ${action} takes no id.`);
  if (action === "add") {
    const input = inputOf(options);
    const added = await withEmulator(options, ({ faults }) => faults.add(input));
    return print(io, options.json, added, [faultLine(added)]);
  }
  if (action === "list") {
    const list = await withEmulator(options, ({ faults }) => faults.list(of));
    return print(io, options.json, list, list.items.map(faultLine));
  }
  await withEmulator(options, ({ faults }) => (id === undefined ? faults.clear(of) : faults.remove(id)));
  const what = id ?? (options.app === undefined ? "all faults" : `the faults of ${options.app}`);
  return print(io, options.json, { cleared: id ?? null, appId: options.app ?? null }, [`Removed ${what}.`]);
};
