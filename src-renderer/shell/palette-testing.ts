import { useQuery } from "@tanstack/react-query";
import { useClock } from "../api/clock.ts";
import { faultsQuery } from "../api/faults.ts";
import { useClockChange } from "../features/clock/clock-change.ts";
import { JUMPS, kindOf } from "../features/clock/clock-state.ts";
import { PRESETS } from "../features/faults/fault-presets.ts";
import { useTurningOff } from "../features/faults/turning-off.ts";
import { useAddress } from "../ui/address.ts";
import type { Command } from "./command.ts";

/** @returns what the palette can do with the clock that is looked at. */
export const useClockCommands = (): readonly Command[] => {
  const { address } = useAddress();
  const clock = useClock(address.app);
  const { change } = useClockChange();
  if (clock === null) return [];
  const kind = kindOf(clock);
  const step = (id: string, title: string, made: Parameters<typeof change.mutate>[0]["step"]): Command => ({
    id: `clock:${id}`,
    title,
    run: () => change.mutate({ appId: address.app, step: made }),
  });
  return [
    kind === "frozen"
      ? step("run", "Let the clock run on", { run: true, done: "was let run on" })
      : step("freeze", "Freeze the clock now", { freeze: true, done: "was stopped at what it showed" }),
    ...JUMPS.map(([seconds, , words]) =>
      step(`on:${seconds}`, `Move the clock on by ${words}`, { advance: seconds, done: `was moved on by ${words}` }),
    ),
    ...(kind === "real"
      ? []
      : [step("real", "Put the clock back to real time", { set: {}, done: "was put back to real time" })]),
  ];
};

/** @returns what the palette can do with faults: the presets, and turning all off. */
export const useFaultCommands = (): readonly Command[] => {
  const { go } = useAddress();
  const faults = useQuery(faultsQuery()).data?.items ?? [];
  const { turnOff } = useTurningOff();
  return [
    ...(faults.length === 0
      ? []
      : [
          {
            id: "faults:off",
            title: "Turn off all faults",
            hint: String(faults.length),
            run: () => {
              turnOff.mutate({ faults, all: true });
              // There it can be undone.
              go({ screen: "faults", id: null, show: null, q: "" });
            },
          },
        ]),
    ...PRESETS.map(({ id, title }) => ({
      id: `fault:${id}`,
      title: `Set a fault: ${title}`,
      run: () => go({ screen: "faults", id: "new", show: id, q: "" }),
    })),
  ];
};
