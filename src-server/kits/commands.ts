/** What the kits add to the command line: one line for each folder with commands. Their code is loaded when they run. */

import { frozen } from "#contract/frozen.ts";
import type { KitCommands } from "#server/commands/define.ts";
import { commands as bundle } from "./bundle/commands.ts";
import { commands as completion } from "./completion/commands.ts";
import { commands as conform } from "./conform/commands.ts";
import { commands as coverage } from "./coverage/commands.ts";
import { commands as devices } from "./devices/commands.ts";
import { commands as doctor } from "./doctor/commands.ts";
import { commands as faults } from "./faults/commands.ts";
import { commands as keys } from "./keys/commands.ts";
import { commands as mcp } from "./mcp/commands.ts";
import { commands as rewind } from "./rewind/commands.ts";
import { commands as snapshots } from "./snapshots/commands.ts";
import { commands as stage } from "./stage/commands.ts";
import { commands as tokenCheck } from "./token-check/commands.ts";
import { commands as weather } from "./weather/commands.ts";

/** In the order of the help. */
// biome-ignore format: one line a kit
export const KIT_COMMANDS = frozen<readonly KitCommands[]>([
  stage,
  mcp,
  faults,
  coverage,
  keys,
  snapshots,
  devices,
  tokenCheck,
  rewind,
  bundle,
  weather,
  conform,
  doctor,
  completion,
]);
