/** What the features add to the command line: one line for each folder with commands. Their code is loaded when they run. */

import type { FeatureCommands } from "#server/plumbing/define.ts";
import { commands as devices } from "./devices/commands.ts";
import { commands as coverage } from "./failures/coverage/commands.ts";
import { commands as faults } from "./failures/faults/commands.ts";
import { commands as rewind } from "./history/rewind/commands.ts";
import { commands as snapshots } from "./history/snapshots/commands.ts";
import { commands as keys } from "./keys/commands.ts";
import { commands as tokenCheck } from "./keys/token-check/commands.ts";

/** In the order of the help. */
export const FEATURE_COMMANDS: readonly FeatureCommands[] = [
  faults,
  coverage,
  keys,
  snapshots,
  devices,
  tokenCheck,
  rewind,
];
