/** `stagedoor fault add|list|clear`: simulated failures; `stagedoor weather`: named lists of them. */
import type { Fault, Weather } from "#client/records.ts";
import { type FaultInput, faultInput, headersIn } from "#contract/service/faults.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { many } from "#contract/words/words.ts";
import { type ClientOptions, whereWords, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print, wrongUsage } from "#server/plumbing/io.ts";
import { checked, durationMs, given } from "#server/plumbing/options.ts";
import { CHANCE_OPTIONS, EFFECT_OPTIONS } from "./fault-options.ts";

/** @see fault. Also has the options of effects. */
export type FaultOptions = ClientOptions &
  Readonly<Partial<Record<"listener" | "method" | "path" | "to" | "times", string>>> &
  Readonly<Record<string, unknown>>;

const READERS = {
  time: (text: string, option: string) => durationMs(text, option, -Infinity),
  range: (text: string, option: string) => {
    const [from = "", to] = text.split("-");
    const least = durationMs(from, option);
    return to === undefined ? least : { from: least, to: durationMs(to, option) };
  },
  cycle: (text: string, option: string) => {
    const [forMs = "", everyMs = ""] = text.split("/");
    return { everyMs: durationMs(everyMs, option), forMs: durationMs(forMs, option) };
  },
  number: Number,
  json: (text: string) => {
    const value = parsedJson(text);
    return value === undefined ? text : value;
  },
  headers: headersIn,
} as const;

type Options = typeof EFFECT_OPTIONS | typeof CHANCE_OPTIONS;

const optionOf = (flags: string): string => /^--([a-z-]+)/.exec(flags)?.[1] ?? "";

const valuesOf = (of: Options, options: FaultOptions): object =>
  Object.fromEntries(
    Object.entries(of).flatMap(([name, { flags, as }]) => {
      const option = optionOf(flags);
      const raw = options[option.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
      if (raw === undefined) return [];
      const value = Array.isArray(raw) ? raw.join("\n") : raw;
      return [[name, as !== undefined && typeof value === "string" ? READERS[as](value, `--${option}`) : value]];
    }),
  );

const FLAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...EFFECT_OPTIONS, ...CHANCE_OPTIONS }).map(([name, { flags }]) => [name, optionOf(flags)]),
);

const EFFECT_FLAGS = Object.values(EFFECT_OPTIONS)
  .filter(({ help }) => !help.startsWith("with --status"))
  .map(({ flags }) => `--${optionOf(flags)}`)
  .join(", ");

const inputOf = (options: FaultOptions): FaultInput => {
  const { app: appId, listener, method, path, to, times } = options;
  const effect = valuesOf(EFFECT_OPTIONS, options);
  if (Object.keys(effect).length === 0) throw wrongUsage(`Say what should happen: ${EFFECT_FLAGS}.`);
  const input = {
    match: given({ appId, listener, method: method?.toUpperCase(), path, to }),
    effect,
    ...valuesOf(CHANCE_OPTIONS, options),
    ...(times === undefined ? {} : { times: Number(times) }),
  };
  return checked(faultInput, input, (field) => {
    const [name = field] = field.replace(/^(match|effect)\./, "").split(".");
    return `--${FLAGS.get(name) ?? name.replace("appId", "app")}`;
  });
};

const faultLine = (fault: Fault): string => {
  const { id, match, effect, times, used, probability, seed, cycle, repetitions, weather } = fault;
  const { method = "any method", path = "any path", listener, appId, to } = match;
  const words = Object.entries({ ...effect, ...given({ probability, seed, cycle, repetitions }) }).map(
    ([name, value]) => (value === true ? name : `${name} ${JSON.stringify(value)}`),
  );
  const where = [listener, method, path, appId, to].filter((word) => word !== undefined).join(" ");
  const whose = weather === undefined ? "" : `  weather ${weather.name}`;
  return `${id}  ${where}  ${words.join(", ")}${whose}  used ${used}${times === null ? "" : ` of ${times}`}`;
};

/** @param id for `clear`; absent: all faults, or those of `--app`. @returns 0. @throws CommandError */
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
  const [removed, where] = await withEmulator(options, async (client) => {
    const { faults } = client;
    const total = id === undefined ? (await faults.list({ appId })).total : 1;
    await (id === undefined ? faults.clear({ appId }) : faults.remove(id));
    return [total, await whereWords(client)] as const;
  });
  const what = id ?? `${many(removed, "fault")}${appId === undefined ? "" : ` of ${appId}`}`;
  return print(io, json, { cleared: id ?? null, appId: appId ?? null, removed }, [`Turned off ${what} (${where}).`]);
};

/** @see weather. `for`: how long it lasts. */
export interface WeatherOptions extends ClientOptions {
  readonly seed?: string | undefined;
  readonly for?: string | undefined;
}

const onLine = ({ appId, name, seed, until }: Weather["items"][number]): string =>
  `${name}, seed ${seed}, ${appId ?? "all apps"}, until ${until ?? "turned off"}`;

/** Prints the weather, after an optional change. @param name absent: only print, with what there is. @returns 0. @throws CommandError */
export const weather = async (io: Io, name: string | undefined, options: WeatherOptions): Promise<number> => {
  const { app: appId, seed, for: lasts, json } = options;
  if (name === undefined && (seed !== undefined || lasts !== undefined))
    throw wrongUsage("--seed and --for need a weather, such as weather tunnel.");
  const seconds = lasts === undefined ? undefined : Math.ceil(durationMs(lasts, "--for", 1_000) / 1_000);
  const now = await withEmulator(options, ({ weather: its }) =>
    name === undefined ? its.get({ appId }) : its.set(name, given({ appId, seed, seconds })),
  );
  const known = now.known.map((one) => `  ${one.name.padEnd(12)} ${one.summary}`);
  const on = now.items.length === 0 ? ["calm"] : now.items.map(onLine);
  return print(io, json, now, name === undefined ? [...on, "", ...known] : on);
};
