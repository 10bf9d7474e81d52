/** The MCP tool for the timeline. */
import { z } from "zod";
import { appTool, type Tool } from "#server/plumbing/agent-tool.ts";

const timeline = appTool("timeline", {
  title: "What happened in the app",
  description: "The newest transactions, newest first: seq, time, request and words. checkpoint restores a seq.",
  input: z.strictObject({ limit: z.int().min(1).max(100).default(20) }),
  output: z.object({
    items: z.array(z.object({ seq: z.int(), at: z.string(), requestId: z.string().nullable(), what: z.string() })),
    oldestSeq: z.int(),
  }),
  hint: "reads",
  run: async ({ limit }, { appId, ask }) => {
    const { items, oldestSeq } = await ask((client) => client.timeline({ appId, limit }));
    const text = items.map(({ seq, what }) => `${seq}  ${what}`).join("\n") || "Nothing has happened since the start.";
    return { text, data: { items: items.map(({ changes: _, ...item }) => item), oldestSeq } };
  },
});

export const tools: readonly Tool[] = [timeline];
