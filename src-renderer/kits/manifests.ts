/** The kits of the UI: one line for each folder. `code.ts` says what each shows. */

import { manifest as clock } from "./clock/manifest.ts";
import { manifest as coverage } from "./coverage/manifest.ts";
import { manifest as devices } from "./devices/manifest.ts";
import { manifest as faults } from "./faults/manifest.ts";
import { manifest as keys } from "./keys/manifest.ts";
import type { UiManifest } from "./manifest.ts";
import { manifest as rewind } from "./rewind/manifest.ts";
import { manifest as snapshots } from "./snapshots/manifest.ts";
import { manifest as stage } from "./stage/manifest.ts";

/** Their manifests. */
// biome-ignore format: one line a kit
export const UI_KITS: readonly UiManifest[] = [
  faults,
  coverage,
  keys,
  clock,
  snapshots,
  rewind,
  devices,
  stage,
];
