/** `stagedoor fault add|list|clear`: simulated failures (CONTRACT 13). */
import type { Fault } from "#client/records.ts";
import { EFFECT_NAMES, EFFECTS, type EffectName, type FaultInput, faultInput, headersIn } from "#contract/faults.ts";
import { parsedJson } from "#contract/parsed-json.ts";
import { many } from "#contract/words.ts";
import { type ClientOptions, withEmulator } from "./emulator.ts";
import { EFFECT_OPTIONS } from "./fault-options.ts";
import { type Io, print, wrongUsage } from "./io.ts";
import { checked, durationMs, given } from "./options.ts";

/** @see fault. Also has the options of effects. */
export type FaultOptions = ClientOptions &
  Readonly<Partial<Record<"listener" | "method" | "path" | "to" | "times", string>>> &
  Readonly<Record<string, unknown>>;

const READERS = {
  time: durationMs,
  number: Number,
  json: (text: string) => {
    const value = parsedJson(text);
    return value === undefined ? text : value;
  },
  headers: headersIn,
} as const;

/** @returns the name of an option without its dashes and argument. */
const optionOf = (name: EffectName): string => /^--([a-z-]+)/.exec(EFFECT_OPTIONS[name].flags)?.[1] ?? "";

const effectOf = (options: FaultOptions): object =>
  Object.fromEntries(
    EFFECT_NAMES.flatMap((name) => {
      const option = optionOf(name);
      const raw = options[option.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
      const { as } = EFFECT_OPTIONS[name];
      if (raw === undefined) return [];
      const value = Array.isArray(raw) ? raw.join("\n") : raw;
      return [[name, as !== undefined && typeof value === "string" ? READERS[as](value, `--${option}`) : value]];
    }),
  );

const isEffect = (name: string): name is EffectName => name in EFFECTS;

const inputOf = (options: FaultOptions): FaultInput => {
  const { app: appId, listener, method, path, to, times } = options;
  const input = {
    match: given({ appId, listener, method: method?.toUpperCase(), path, to }),
    effect: effectOf(options),
    ...(times === undefined ? {} : { times: Number(times) }),
  };
  return checked(faultInput, input, (field) => {
    if (field === "effect") return "A fault needs an effect: it";
    const name = field.replace(/^(match|effect)\./, "");
    return `--${isEffect(name) ? optionOf(name) : name.replace("appId", "app")}`;
  });
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
export const fault = async (
  io: Io,
  action: "add" | "list" | "clear",
  id: string | undefined,
  options: FaultOptions,
): Promise<number> => {
  const { app: appId, json } = options;
  if (id !== undefined && action !== "clear") throw wrongUsage(`fault ${action} takes no id.`);
  if (action === "add") {
    const input = inputOf(options);
    const added = await withEmulator(options, ({ faults }) => faults.add(input));
    return print(io, json, added, [faultLine(added)]);
  }
  if (action === "list") {
    const list = await withEmulator(options, ({ faults }) => faults.list({ appId }));
    if (list.total === 0 && json !== true) io.err("No faults.");
    return print(io, json, list, list.items.map(faultLine));
  }
  const removed = await withEmulator(options, async ({ faults }) => {
    if (id !== undefined) return await faults.remove(id).then(() => 1);
    const { total } = await faults.list({ appId });
    return await faults.clear({ appId }).then(() => total);
  });
  const what = id ?? `${many(removed, "fault")}${appId === undefined ? "" : ` of ${appId}`}`;
  return print(io, json, { cleared: id ?? null, appId: appId ?? null, removed }, [`Removed ${what}.`]);
};
