import type { Fault, FaultInput } from "#client/index.ts";
import { many } from "#contract/words/words.ts";
import { emulator } from "../../api/emulator.ts";
import { isOn } from "../../api/faults.ts";
import { announce, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { offerBack } from "../history/undo-band.tsx";
import type { Preset } from "./fault-presets.ts";
import { effectWords } from "./fault-words.ts";
import { addFault, removeFault } from "./set-fault.ts";

/** @returns a function that applies a preset to the current app, or opens the form if it needs a user. */
export const usePreset = (): ((preset: Preset) => unknown) => {
  const { address, go } = useAddress();
  const set = useAction(async ({ fault, title }: Preset) => {
    await addFault({ ...fault, match: { ...fault.match, ...(address.app === null ? {} : { appId: address.app }) } });
    announce(`Set: ${title}`);
  });
  return (preset) => (preset.oneUser ? go({ screen: "simulate", id: "new", show: preset.id, q: "" }) : set.run(preset));
};

const faultsWords = (faults: readonly Fault[]): string => {
  const [only] = faults;
  return faults.length === 1 && only !== undefined ? effectWords(only.effect) : many(faults.length, "fault");
};

/** @returns what sets the same fault again. */
export const inputOf = (fault: Fault): FaultInput => {
  const {
    id: _,
    userId: _u,
    scenario: _s,
    used: _n,
    remaining: _r,
    passed: _p,
    weather: _w,
    createdAt: _c,
    ...input
  } = fault;
  return input;
};

/** Faults are not in the timeline; the scenario of a profile is. */
const offerAgain = async (faults: readonly Fault[]): Promise<void> => {
  const counted = faults.some(({ times }) => times !== null);
  const note = `Undo sets ${faults.length === 1 ? "it" : "them"} again, after the rest${
    counted ? ", for the remaining requests." : "; the counter restarts at zero."
  }`;
  await offerBack(`Turned off: ${faultsWords(faults)}. ${note}`, async () => {
    for (const fault of faults) await addFault({ ...inputOf(fault), times: fault.remaining });
  });
};

/** @returns a mutation that turns faults off; `all`: every fault. */
export const useTurningOff = () =>
  useAction(async (faults: readonly Fault[], all: boolean) => {
    if (all) await emulator.faults.clear();
    // Clearing all faults leaves those of scenarios, which are removed one by one.
    for (const { id, userId } of faults) if (!all || userId !== null) await removeFault(id);
    // A used-up fault has no effect; adding it again would reactivate it.
    const left = faults.filter((fault) => isOn(fault) && fault.userId === null);
    if (left.length > 0) await offerAgain(left);
    announce(`Turned off: ${faultsWords(faults)}`);
  });
