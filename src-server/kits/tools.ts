/** What kits have for agents: one line for each folder with tools. Each is loaded when a session begins. */
import { frozen } from "#contract/frozen.ts";
import type { AgentCode } from "#server/commands/agent-tool.ts";

/** @see the file */
export const KIT_TOOLS = frozen<AgentCode>({
  faults: () => import("./faults/tools.ts"),
  coverage: () => import("./coverage/tools.ts"),
  snapshots: () => import("./snapshots/tools.ts"),
  rewind: () => import("./rewind/tools.ts"),
  weather: () => import("./weather/tools.ts"),
});
