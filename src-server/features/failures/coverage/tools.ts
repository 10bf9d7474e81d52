/** MCP tools for login coverage: which outcomes were met, and how to meet the others. */
import { z } from "zod";
import { ToolError } from "#server/plumbing/agent-session.ts";
import { appTool, type Tool } from "#server/plumbing/agent-tool.ts";
import { OUTCOME_IDS } from "./contract/outcomes.ts";
import { coverageSummary } from "./contract/words.ts";

const outcomeLine = z.object({ outcome: z.string(), screen: z.string(), count: z.int() });

const loginCoverage = appTool("login_coverage", {
  title: "Login coverage",
  description: "Which login outcomes the app has covered, how often, and what it should show then.",
  input: z.strictObject({
    notMet: z.literal(true).exactOptional().meta({ description: "Only those not covered yet." }),
  }),
  output: z.object({ met: z.int(), total: z.int(), outcomes: z.array(outcomeLine) }),
  hint: "reads",
  run: async ({ notMet }, { appId, ask }) => {
    const all = await ask(({ coverage }) => coverage.get({ appId }));
    const outcomes = all.items.filter(({ count }) => notMet !== true || count === 0);
    const lines = outcomes.map(({ outcome, count, screen }) => `${outcome} ${count}: ${screen}`);
    return { text: [`${coverageSummary(all)}.`, ...lines].join("\n"), data: { ...all, outcomes } };
  },
});

const provokeOutcome = appTool("provoke_outcome", {
  title: "Provoke an outcome",
  description: "Arranges that the next login has an outcome of login_coverage, once, and returns what to do next.",
  // Not an enum: each agent session pays for the schemas.
  input: z.strictObject({ outcome: z.string(), to: z.string().exactOptional().meta({ description: "Whose login." }) }),
  output: z.object({ next: z.string() }),
  hint: "destroys",
  run: async ({ outcome: named, ...options }, { appId, ask }) => {
    const outcome = OUTCOME_IDS.find((one) => one === named);
    if (outcome === undefined)
      throw new ToolError("unknown_outcome", `No outcome "${named}". login_coverage lists them.`);
    const { then: next } = await ask(({ coverage }) => coverage.provoke(outcome, { appId, ...options }));
    return { text: next, data: { next } };
  },
});

export const instructions =
  "login_coverage lists the outcomes that no test has covered yet; provoke_outcome arranges the next one.";
export const tools: readonly Tool[] = [loginCoverage, provokeOutcome];
