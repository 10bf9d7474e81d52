import { lengthWords } from "#contract/words/words.ts";
import { useClock } from "../../api/clock.ts";
import { kindOf } from "../../shared/session/session-words.ts";
import { useAddress } from "../../ui/address.ts";
import type { Command } from "../../ui/palette-store.ts";
import { type ClockStep, forward, STEPS, useClockChange } from "./clock-change.tsx";
import { JUMPS } from "./clock-state.ts";

/** What the palette does with a clock. */
export const useClockCommands = (): readonly Command[] => {
  const { address } = useAddress();
  const clock = useClock(address.app);
  const { mutate } = useClockChange();
  if (clock === null) return [];
  const kind = kindOf(clock);
  const step = (id: string, title: string, made: ClockStep): Command => ({
    id: `clock:${id}`,
    title,
    run: () => mutate({ appId: address.app, step: made }),
  });
  return [
    kind === "frozen"
      ? step("run", "Resume the clock", STEPS.run)
      : step("freeze", "Freeze the clock now", STEPS.freeze),
    ...JUMPS.map((seconds) =>
      step(`on:${seconds}`, `Move the clock forward by ${lengthWords(seconds)}`, forward(seconds)),
    ),
    ...(kind === "real" ? [] : [step("real", "Reset the clock to real time", STEPS.real)]),
  ];
};
