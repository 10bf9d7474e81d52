/** `stagedoor fault add|list|clear`: simulated failures (CONTRACT 13). */
import type { Fault } from "#client/records.ts";
import { type FaultInput, faultInput } from "#contract/faults.ts";
import { type ClientOptions, withEmulator } from "./emulator.ts";
import { type Io, print, wrongUsage } from "./io.ts";
import { checked, durationMs, given } from "./options.ts";

/** @see fault */
export interface FaultOptions extends ClientOptions {
  readonly listener?: string;
  readonly method?: string;
  readonly path?: string;
  readonly to?: string;
  readonly times?: string;
  readonly delay?: string;
  readonly status?: string;
  readonly body?: string;
  readonly reason?: string;
  readonly drop?: true;
  readonly reset?: true;
  readonly undelivered?: true;
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

const jsonOrText = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
};

const inputOf = (options: FaultOptions): FaultInput => {
  const { app: appId, listener, method, path, to, drop, reset, undelivered, reason, ...values } = options;
  const delayMs = values.delay === undefined ? undefined : durationMs(values.delay, "--delay");
  const [status, times] = [numberOf(values.status), numberOf(values.times)];
  const input = {
    match: given({ appId, listener, method: method?.toUpperCase(), path, to }),
    effect: given({ delayMs, status, body: jsonOrText(values.body), reason, drop, reset, undelivered }),
    ...given({ times }),
  };
  return checked(faultInput, input, (field) => {
    if (field === "effect") return "A fault needs an effect: it";
    const name = field.replace(/^(match|effect)\./, "");
    return `--${name.replace("delayMs", "delay").replace("appId", "app")}`;
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
    return print(io, json, list, list.items.map(faultLine));
  }
  await withEmulator(options, ({ faults }) => (id === undefined ? faults.clear({ appId }) : faults.remove(id)));
  const what = id ?? (appId === undefined ? "all faults" : `the faults of ${appId}`);
  return print(io, json, { cleared: id ?? null, appId: appId ?? null }, [`Removed ${what}.`]);
};
