/** How each kit starts on the server: one line for each folder with code for it. */
import { frozen } from "#contract/frozen.ts";
import type { Setups } from "#http/kits.ts";
import { setup as demo } from "./demo/server.ts";
import { setup as delivery } from "./devices/delivery/server.ts";
import { setup as devices } from "./devices/server.ts";
import { setup as coverage } from "./failures/coverage/server.ts";
import { setup as faults } from "./failures/faults/server.ts";
import { setup as weather } from "./failures/weather/server.ts";
import { setup as bundle } from "./history/bundle/server.ts";
import { setup as rewind } from "./history/rewind/server.ts";
import { setup as snapshots } from "./history/snapshots/server.ts";
import { setup as keys } from "./keys/server.ts";
import { setup as tokenCheck } from "./keys/token-check/server.ts";

/** They begin in this order. */
// biome-ignore format: one line a kit
export const SETUPS = frozen({
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
} satisfies Setups);
