/** The list of the kits: one line for each folder. `code.ts` says what each loads, `commands.ts` what it adds to the command line. */

import { frozen } from "#contract/frozen.ts";
import { manifest as bundle } from "./bundle/manifest.ts";
import { manifest as completion } from "./completion/manifest.ts";
import { manifest as conform } from "./conform/manifest.ts";
import { manifest as coverage } from "./coverage/manifest.ts";
import { manifest as delivery } from "./delivery/manifest.ts";
import { manifest as demo } from "./demo/manifest.ts";
import { manifest as devices } from "./devices/manifest.ts";
import { manifest as doctor } from "./doctor/manifest.ts";
import { manifest as faults } from "./faults/manifest.ts";
import { manifest as keys } from "./keys/manifest.ts";
import { manifest as mcp } from "./mcp/manifest.ts";
import { manifest as paste } from "./paste/manifest.ts";
import { manifest as rewind } from "./rewind/manifest.ts";
import { manifest as snapshots } from "./snapshots/manifest.ts";
import { manifest as stage } from "./stage/manifest.ts";
import { manifest as tokenCheck } from "./token-check/manifest.ts";
import { manifest as weather } from "./weather/manifest.ts";

/** The manifests by name. */
// biome-ignore format: one line a kit
export const KITS = frozen({
  delivery,
  faults,
  coverage,
  keys,
  snapshots,
  demo,
  devices,
  "token-check": tokenCheck,
  rewind,
  bundle,
  weather,
  conform,
  stage,
  paste,
  mcp,
  doctor,
  completion,
} as const);
