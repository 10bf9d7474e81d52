/** The MCP tool for weather. */
import { z } from "zod";
import { frozen } from "#contract/frozen.ts";
import { WEATHER } from "#contract/service/weather.ts";
import { appTool, type Tool } from "#server/plumbing/agent-tool.ts";

const setWeather = appTool("set_weather", {
  title: "Set the weather",
  description: `Makes the app's requests fail as in real life, the same for the same seed: ${Object.keys(WEATHER).join(", ")}, or the app's own. calm ends it.`,
  input: z.strictObject({
    name: z.string(),
    seed: z.string().exactOptional(),
    seconds: z.int().exactOptional(),
  }),
  output: z.object({ on: z.array(z.string()) }),
  hint: "adds",
  run: async ({ name, ...options }, { appId, ask }) => {
    const { items } = await ask(({ weather }) => weather.set(name, { appId, ...options }));
    const on = items.map((one) => `${one.name}, seed ${one.seed}`);
    return { text: on.join("\n") || "calm", data: { on } };
  },
});

/** @see the file */
export const tools = frozen<readonly Tool[]>([setWeather]);
