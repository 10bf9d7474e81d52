/** `stagedoor weather`: named lists of faults. */
import type { Weather } from "#client/records.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print, wrongUsage } from "#server/plumbing/io.ts";
import { durationMs, given } from "#server/plumbing/options.ts";

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
