/** The program, for documentation only. */
import { createProgram } from "#server/program.ts";

const nothing = async (): Promise<never> => {
  throw new Error("No command runs here.");
};
const io = { out: nothing, err: nothing, json: nothing, progress: nothing, ask: nothing, input: nothing };

/** @see createProgram */
export const program = createProgram({ version: "0.0.0", io, called: [], run: nothing, untilSignal: nothing });
