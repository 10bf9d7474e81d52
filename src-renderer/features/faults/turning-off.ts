/**
 * Faults that were turned off last, so that they can be set again, also after a look at another screen.
 */
import { useMutation } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { addFault, clearFaults, type Fault, isOn, removeFault } from "../../api/faults.ts";
import { announce } from "../../ui/announcer.tsx";
import { complain } from "../../ui/complain.ts";
import { effectWords } from "./fault-words.ts";

/** What was turned off: those that would have met more requests, in their order. */
export type TurnedOff = readonly Fault[];

let last: TurnedOff | null = null;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const setLast = (faults: TurnedOff | null): void => {
  last = faults;
  for (const listener of listeners) listener();
};

/** @returns faults in words: what a single one does, else how many. */
export const faultsWords = (faults: readonly Fault[]): string => {
  const [only] = faults;
  return faults.length === 1 && only !== undefined
    ? effectWords(only.effect)
    : `${faults.length.toLocaleString("en")} faults`;
};

const remove = async ({ faults, all }: { readonly faults: readonly Fault[]; readonly all: boolean }) => {
  if (all) await clearFaults();
  else for (const { id } of faults) await removeFault(id);
  return faults;
};

const setAgain = async (faults: TurnedOff): Promise<void> => {
  for (const { match, effect, remaining } of faults) await addFault({ match, effect, times: remaining });
};

/** @returns what was turned off last (null: nothing, or it is set again), what turns off, what sets again, what forgets. */
export const useTurningOff = () => {
  const turnedOff = useSyncExternalStore(subscribe, () => last);
  const turnOff = useMutation({
    mutationFn: remove,
    onSuccess: (faults) => {
      // One that is used up meets nothing more: to set it again would be another fault.
      const meant = faults.filter(isOn);
      setLast(meant.length === 0 ? null : meant);
      announce(`Turned off: ${faultsWords(faults)}`);
    },
    onError: complain,
  });
  const undo = useMutation({
    mutationFn: setAgain,
    onSuccess: (_, back) => {
      if (last === back) setLast(null);
      announce(`Set again: ${faultsWords(back)}`);
    },
    onError: complain,
  });
  return { turnedOff, turnOff, undo, forget: () => setLast(null) };
};
