/** The MCP tool for checkpoints, which are snapshots or moments of the timeline. */
import { z } from "zod";
import { snapshotName } from "#contract/control/snapshots.ts";
import { many } from "#contract/words/words.ts";
import { appTool, type Tool } from "#server/plumbing/agent-tool.ts";

const checkpoint = appTool("checkpoint", {
  title: "Save or restore a checkpoint",
  description:
    "Saves the app's whole state (users, codes, sessions, clock) under a name, or goes back to it, or to a `seq` of timeline.",
  input: z.strictObject({
    action: z.enum(["save", "restore", "list"]),
    name: snapshotName.default("checkpoint"),
    seq: z.int().min(0).exactOptional().meta({ description: "With restore, instead of a name: a moment of timeline." }),
  }),
  output: z.object({
    checkpoints: z.array(z.object({ name: z.string(), createdAt: z.string() })),
    changes: z.int().nullable().meta({ description: "Made by a restore." }),
  }),
  hint: "destroys",
  run: async ({ action, name, seq }, { appId, ask }) =>
    await ask(async ({ snapshots, rewind }) => {
      if (action === "restore" && seq !== undefined) {
        const { changed } = await rewind({ appId, to: seq });
        const changes = Object.values(changed).reduce((sum, count) => sum + count, 0);
        const { items } = await snapshots.list({ appId });
        return { text: `Went back to ${seq}: ${many(changes, "change")}.`, data: { checkpoints: items, changes } };
      }
      if (action === "save") await snapshots.save(name, { appId });
      const changes = action === "restore" ? (await snapshots.restore(name, { appId })).changes : null;
      const { items } = await snapshots.list({ appId });
      const did = changes === null ? `Saved "${name}".` : `Went back to "${name}": ${many(changes, "change")}.`;
      const text = action === "list" ? items.map((one) => one.name).join(", ") || "No checkpoints." : did;
      return { text, data: { checkpoints: items, changes } };
    }),
});

export const tools: readonly Tool[] = [checkpoint];
