/** Begins the features: one line for each with code on the server. */
import type { Listener } from "#contract/control/routes.ts";
import { setup as demo } from "./demo/server.ts";
import { setup as devices } from "./devices/server.ts";
import { setup as coverage } from "./failures/coverage/server.ts";
import { setup as faults } from "./failures/faults/server.ts";
import { setup as bundle } from "./history/bundle/server.ts";
import { setup as rewind } from "./history/rewind/server.ts";
import { setup as snapshots } from "./history/snapshots/server.ts";
import type { FeatureHandlersOf, Kernel } from "./kernel.ts";
import { setup as keys } from "./keys/server.ts";
import { setup as tokenCheck } from "./keys/token-check/server.ts";

/** Begins all features, in this order, before anyone can call. @returns the handlers of all of them. */
export const beginFeatures = (kernel: Kernel): FeatureHandlersOf<Listener> => ({
  ...faults(kernel),
  ...coverage(kernel),
  ...keys(kernel),
  ...snapshots(kernel),
  ...demo(kernel),
  ...devices(kernel),
  ...tokenCheck(kernel),
  ...rewind(kernel),
  ...bundle(kernel),
});
