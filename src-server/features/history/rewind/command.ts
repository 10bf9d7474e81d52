/** `stagedoor timeline` and `stagedoor rewind`: what happened, and back to before it. */
import { many } from "#contract/words/words.ts";
import { type ClientOptions, whereWords, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print, wrongUsage } from "#server/plumbing/io.ts";
import { given, wholeNumber } from "#server/plumbing/options.ts";

/** @see timeline. `user`: only this user, by id. */
export interface TimelineOptions extends ClientOptions {
  readonly user?: string | undefined;
  readonly limit?: string | undefined;
}

/** Prints the newest transactions, newest first. @returns 0. @throws CommandError */
export const timeline = async (io: Io, { app: appId, user: userId, limit, json, ...where }: TimelineOptions) => {
  const query = { limit: wholeNumber(limit, "--limit", 1, 1_000) ?? 20, ...given({ appId, userId }) };
  const past = await withEmulator(where, (client) => client.timeline(query));
  if (past.items.length === 0 && json !== true) io.err("Nothing has happened since the start.");
  const lines = past.items.map(({ seq, at, what, requestId }) =>
    [seq, at, what, ...(requestId === null ? [] : [requestId])].join("  "),
  );
  return print(io, json, past, lines);
};

/** @see rewind. `before`: a request; `to`: a `seq`; `undo`: only that transaction; `user`: only this user; `clock`: also turns the clock back. */
export interface RewindArguments extends ClientOptions {
  readonly before?: string | undefined;
  readonly to?: string | undefined;
  readonly undo?: string | undefined;
  readonly user?: string | undefined;
  readonly clock?: "keep" | "then" | undefined;
  readonly dryRun?: boolean | undefined;
}

/** Returns an app, or one user of it, to a moment. @returns 0. @throws CommandError */
export const rewind = async (
  io: Io,
  { app: appId, before, user: userId, clock, dryRun, json, ...more }: RewindArguments,
) => {
  const { to: seq, undo: only, ...options } = more;
  if ([before, seq, only].filter((moment) => moment !== undefined).length !== 1)
    throw wrongUsage("Choose a moment with --before REQUEST, --to SEQ or --undo SEQ. `stagedoor timeline` lists them.");
  const to = wholeNumber(seq, "--to", 0, 999_999_999);
  const undo = wholeNumber(only, "--undo", 0, 999_999_999);
  const body = given({ appId, before, to, undo, userId, clock });
  const [done, where] = await withEmulator(options, async (client) => [
    await client.rewind(body, { dryRun: dryRun === true }),
    await whereWords(client),
  ]);
  const counts = Object.entries(done.changed).filter(([, count]) => count > 0);
  if (clock === "then") counts.push(["clocks", 1]);
  const words = counts.map(([noun, count]) => many(count, noun.slice(0, -1))).join(", ");
  if (dryRun === true) {
    const wayBack = done.undoable === false ? " That could not be undone: it is more than the timeline keeps." : "";
    return print(io, json, done, [`Would rewind: ${words || "nothing is different"}.${wayBack}`]);
  }
  const wayBack =
    done.undoable === false
      ? "It cannot be undone: it is more than the timeline keeps."
      : `Undo: stagedoor rewind --undo ${done.seq}`;
  // Without changes of its own, `seq` is that of another change.
  return print(io, json, done, [
    words === "" ? "Rewound: nothing was different." : `Rewound: ${words} (${where}). ${wayBack}`,
  ]);
};
