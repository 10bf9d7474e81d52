import { ScenarioLink } from "./faults/scenario-link.tsx";
import { inARow } from "./in-a-row.ts";
import type { OfProfile } from "./manifest.ts";

/** What kits say of the scenario of a profile: one line for each. */
// biome-ignore format: one line a kit
export const ScenarioWords = inARow<OfProfile>([
  ScenarioLink,
]);
