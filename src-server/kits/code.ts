/** What each kit loads, when it is first needed: one line for each folder with code for the server or for agents. */

import { frozen } from "#contract/frozen.ts";
import type { ServerCode } from "#http/kits.ts";
import type { AgentCode } from "#server/commands/agent-tool.ts";

/** @see the file */
// biome-ignore format: one line a kit
export const KIT_CODE = frozen({
  advice: { server: () => import("./advice/server.ts") },
  leases: { server: () => import("./leases/server.ts") },
  sharing: { server: () => import("./sharing/server.ts") },
  delivery: { server: () => import("./delivery/server.ts") },
  faults: { server: () => import("./faults/server.ts"), tools: () => import("./faults/tools.ts") },
  coverage: { server: () => import("./coverage/server.ts"), tools: () => import("./coverage/tools.ts") },
  keys: { server: () => import("./keys/server.ts") },
  clock: { server: () => import("./clock/server.ts"), tools: () => import("./clock/tools.ts") },
  snapshots: { server: () => import("./snapshots/server.ts"), tools: () => import("./snapshots/tools.ts") },
  demo: { server: () => import("./demo/server.ts") },
  devices: { server: () => import("./devices/server.ts") },
  "token-check": { server: () => import("./token-check/server.ts") },
  rewind: { server: () => import("./rewind/server.ts"), tools: () => import("./rewind/tools.ts") },
  bundle: { server: () => import("./bundle/server.ts") },
  weather: { server: () => import("./weather/server.ts"), tools: () => import("./weather/tools.ts") },
} satisfies ServerCode & AgentCode);
