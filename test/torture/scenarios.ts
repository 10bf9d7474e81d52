/** The scenarios by name, in the sizes of `npm run torture` and of `npm run test:all`. */

import { CALLS } from "#test/store/faulty-files.ts";
import { clockJumps } from "./clocks.ts";
import { journalCuts, journalDamage } from "./cuts-and-damage.ts";
import { fullDisk } from "./disk-full.ts";
import { failingCalls } from "./failing-calls.ts";
import { imageCuts } from "./image-cuts.ts";
import { killedImports, kills } from "./kills.ts";
import { powerCuts } from "./power-cuts.ts";
import { builtRefusals } from "./refusals.ts";
import { replacedData } from "./replaced-data.ts";
import { startersAtOnce } from "./starters.ts";
import type { Scenario } from "./trial.ts";

/** A scenario of a given size. */
export interface Named {
  readonly name: string;
  readonly scenario: Scenario;
}

/** In this process; takes minutes. */
export const FULL: readonly Named[] = [
  { name: "kill -9 under load", scenario: kills(200) },
  { name: "kill -9 during an import", scenario: killedImports(200) },
  { name: "data replaced, kill -9", scenario: replacedData(100, "process") },
  { name: "data replaced, kill -9, durability disk", scenario: replacedData(100, "disk") },
  { name: "journal cut at every byte", scenario: journalCuts(60) },
  { name: "journal damaged", scenario: journalDamage(12, 1_000) },
  { name: "damage and cuts, command line", scenario: builtRefusals(15) },
  {
    name: "n-th file-system call fails",
    scenario: failingCalls(["EIO", "ENOSPC", "EACCES", "EMFILE", "half", "short"]),
  },
  { name: "disk full, tmpfs", scenario: fullDisk(6) },
  { name: "starters at once", scenario: startersAtOnce(8, 4) },
  { name: "clock jumps", scenario: clockJumps(8) },
  { name: "power cut, simulated", scenario: powerCuts({ directories: 300, cuts: 8 }) },
  { name: "power cut, simulated, pages in any order", scenario: powerCuts({ directories: 100, cuts: 8 }, "any order") },
  { name: "power cut, copy of an ext4 image", scenario: imageCuts(10) },
];

/** The same, small: takes seconds and needs no build. */
export const SHORT: readonly Named[] = [
  { name: "journal cut at every byte", scenario: journalCuts(6) },
  { name: "journal damaged", scenario: journalDamage(2, 10) },
  // A scenario for each call, because a test of all takes too long on a busy machine.
  ...CALLS.map((call) => ({ name: `EIO at the n-th call of ${call}`, scenario: failingCalls(["EIO"], [call]) })),
  { name: "n-th file-system call fails: half a write", scenario: failingCalls(["half"]) },
  { name: "power cut, simulated", scenario: powerCuts({ directories: 6, cuts: 5 }) },
  { name: "power cut, simulated, pages in any order", scenario: powerCuts({ directories: 4, cuts: 5 }, "any order") },
];

/** The same with the built server. */
export const SHORT_BUILT: readonly Named[] = [
  { name: "kill -9 under load", scenario: kills(3) },
  { name: "kill -9 during an import", scenario: killedImports(1, [2_000]) },
  { name: "damage and cuts, command line", scenario: builtRefusals(1) },
  { name: "disk full, tmpfs", scenario: fullDisk(1) },
  { name: "starters at once", scenario: startersAtOnce(1, 0) },
  { name: "clock jumps", scenario: clockJumps(1) },
  { name: "power cut, copy of an ext4 image", scenario: imageCuts(1, ["disk"]) },
];
