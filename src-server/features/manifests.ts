/** The list of the features: one line for each folder. `setups.ts` says what each loads, `commands.ts` what it adds to the command line. */

import { manifest as demo } from "./demo/manifest.ts";
import { manifest as devices } from "./devices/manifest.ts";
import { manifest as coverage } from "./failures/coverage/manifest.ts";
import { manifest as faults } from "./failures/faults/manifest.ts";
import { manifest as bundle } from "./history/bundle/manifest.ts";
import { manifest as rewind } from "./history/rewind/manifest.ts";
import { manifest as snapshots } from "./history/snapshots/manifest.ts";
import { manifest as keys } from "./keys/manifest.ts";
import { manifest as tokenCheck } from "./keys/token-check/manifest.ts";

/** The manifests by name. */
export const FEATURES = {
  faults,
  coverage,
  keys,
  snapshots,
  demo,
  devices,
  "token-check": tokenCheck,
  rewind,
  bundle,
} as const;
