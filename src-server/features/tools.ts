/** What features have for agents: one line for each folder with tools. Each is loaded when a session begins. */
import type { AgentCode } from "#server/plumbing/agent-tool.ts";

export const FEATURE_TOOLS: AgentCode = {
  faults: () => import("./failures/faults/tools.ts"),
  coverage: () => import("./failures/coverage/tools.ts"),
  snapshots: () => import("./history/snapshots/tools.ts"),
  rewind: () => import("./history/rewind/tools.ts"),
};
