/** What kits say and do of passcodes. In the first view. */
import { FaultsAhead } from "./faults/faults-ahead.tsx";
import { LostCode } from "./faults/lost-code.tsx";
import { SimulateMenu } from "./faults/simulate-menu.tsx";
import { inARow } from "./in-a-row.ts";
import type { OfLostCode, OfPasscode } from "./manifest.ts";

/** Buttons of the newest code: one line for each. */
// biome-ignore format: one line a kit
export const PasscodeButtons = inARow<OfPasscode>([
  SimulateMenu,
]);

/** What they say below its buttons: one line for each. */
// biome-ignore format: one line a kit
export const PasscodeNotes = inARow<OfPasscode>([
  FaultsAhead,
]);

/** What they show in a row instead of a code that has not arrived: one line for each. */
// biome-ignore format: one line a kit
export const InsteadOfCode = inARow<OfLostCode>([
  LostCode,
]);
