/** The MCP tool for the clock. */
import { z } from "zod";
import { clockAdvance, clockItem } from "#contract/control/clock.ts";
import { frozen } from "#contract/frozen.ts";
import { appTool, type Tool } from "#server/plumbing/agent-tool.ts";

const advanceClock = appTool("advance_clock", {
  title: "Advance the clock",
  description:
    "Moves the app's clock, so that codes and sessions expire without waiting: 601 s expires a code, 86401 s a session.",
  input: z.strictObject({
    seconds: clockAdvance.shape.seconds.default(0).meta({ description: "Negative: back. 0 only reads it." }),
    real: z.literal(true).exactOptional().meta({ description: "First returns to real time." }),
  }),
  output: clockItem.extend({ now: z.string(), frozenAt: z.string().nullable() }),
  hint: "adds",
  run: async ({ seconds, real }, { appId, ask }) => {
    const data = await ask(async ({ clock }) => {
      if (real) await clock.reset({ appId });
      return seconds === 0 ? await clock.read({ appId }) : await clock.advance(seconds, { appId });
    });
    return { text: `${appId}: ${data.now}, ${data.offsetSeconds} s from real time.`, data };
  },
});

/** @see the file */
export const CLOCK_TOOLS = frozen<readonly Tool[]>([advanceClock]);
