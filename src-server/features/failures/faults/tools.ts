/** MCP tools for simulated failures. */
import { z } from "zod";
import { EFFECT_NAMES, faultInput, faultMatch } from "#contract/service/faults.ts";
import { many } from "#contract/words/words.ts";
import { ToolError } from "#server/plumbing/agent-session.ts";
import { appTool, type Tool } from "#server/plumbing/agent-tool.ts";
import { faultItem } from "./contract/faults.ts";

const setFault = appTool("set_fault", {
  title: "Set a fault",
  description: `Makes requests of the app fail on purpose: {"effect": {"status": 503}, "times": 2}, or "reason": "rate_limited". All effects: ${EFFECT_NAMES.join(", ")}.`,
  input: z.strictObject({
    match: faultMatch
      .omit({ appId: true })
      .extend({ to: z.string().exactOptional().meta({ description: "Only session requests of this phone or email." }) })
      .exactOptional()
      .meta({ description: "Default: all requests of the app." }),
    effect: faultInput.shape.effect,
    times: faultInput.shape.times,
    // Without its description, and without the seeds: each agent session pays for them.
    probability: z.number().min(0).max(1).exactOptional(),
  }),
  output: faultItem.pick({ id: true, times: true, remaining: true }),
  hint: "adds",
  run: async ({ match, times, ...others }, { appId, ask }) => {
    const data = await ask(({ faults }) => faults.add({ match: { ...match, appId }, times, ...others }));
    const which = times === null ? "all matching requests" : `the next ${many(times, "matching request")}`;
    return { text: `Fault ${data.id} is set for ${which}.`, data };
  },
});

const clearFaults = appTool("clear_faults", {
  title: "List faults or turn them off",
  description: "Turns off all faults of the app, or one by id, or only lists them; scenarios of users stay.",
  input: z.strictObject({ id: z.string().exactOptional(), listOnly: z.literal(true).exactOptional() }),
  output: z.object({
    cleared: z.int(),
    faults: z
      .array(z.object({ id: z.string(), match: z.unknown(), effect: z.unknown(), userId: z.string().nullable() }))
      .exactOptional()
      .meta({ description: "With listOnly. Those with a userId are scenarios: make_users turns them off." }),
  }),
  hint: "destroys",
  run: async ({ id, listOnly }, { appId, ask }) =>
    await ask(async ({ faults }) => {
      const { items } = await faults.list({ appId });
      if (listOnly) {
        const lines = items.map((one) => `${one.id} ${JSON.stringify(one.match)} ${JSON.stringify(one.effect)}`);
        const text = [`${many(items.length, "fault")} of ${appId}.`, ...lines].join("\n");
        return { text, data: { cleared: 0, faults: items } };
      }
      const wanted = items.filter((one) => one.userId === null && (id ?? one.id) === one.id);
      if (id !== undefined && wanted.length === 0)
        throw new ToolError("unknown_fault", `${appId} has no fault ${id} that can be turned off; see listOnly.`);
      if (id === undefined) await faults.clear({ appId });
      else await faults.remove(id);
      return { text: `Turned off ${many(wanted.length, "fault")} of ${appId}.`, data: { cleared: wanted.length } };
    }),
});

export const tools: readonly Tool[] = [setFault, clearFaults];
