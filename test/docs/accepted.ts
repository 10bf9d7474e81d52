/** Whether the command line knows what a page shows. */
import { createProgram } from "#server/program.ts";

/** Splits a line into words, without a shell. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ > \S+$/, "").matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** @param line what follows `stagedoor`. @returns how many commands it runs: one. @throws Error from the parser. */
export const runsOf = async (line: string): Promise<number> => {
  let ran = 0;
  const once = async (): Promise<void> => void ran++;
  const nothing = async (): Promise<never> => Promise.reject(new Error("not here"));
  const io = { out: once, err: nothing, json: nothing, progress: nothing, ask: nothing, input: nothing };
  const own = createProgram({ version: "0.0.0", io, called: [], run: once, untilSignal: nothing });
  for (const one of [own, ...own.commands])
    one.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  await own.parseAsync(wordsOf(line), { from: "user" });
  return ran;
};
