import { useQuery } from "@tanstack/react-query";
import { useClock } from "../api/clock.ts";
import { useApps } from "../api/profile.ts";
import { faultList } from "../api/queries.ts";
import { useClockChange } from "../features/clock/clock-change.tsx";
import { JUMPS, kindOf } from "../features/clock/clock-state.ts";
import { usePreset, useTurningOff } from "../features/faults/fault-actions.ts";
import { PRESETS } from "../features/faults/fault-presets.ts";
import { resetData } from "../features/fixtures/undo.ts";
import { useAddress } from "../ui/address.ts";
import { complain } from "../ui/complain.ts";
import type { Command } from "./palette-store.ts";

/** @returns what the palette can do with the clock that is looked at. */
export const useClockCommands = (): readonly Command[] => {
  const { address } = useAddress();
  const clock = useClock(address.app);
  const change = useClockChange();
  if (clock === null) return [];
  const kind = kindOf(clock);
  const step = (id: string, title: string, made: Parameters<typeof change.mutate>[0]["step"]): Command => ({
    id: `clock:${id}`,
    title,
    run: () => change.mutate({ appId: address.app, step: made }),
  });
  return [
    kind === "frozen"
      ? step("run", "Resume the clock", { run: true, done: "was resumed" })
      : step("freeze", "Freeze the clock now", { freeze: true, done: "was frozen" }),
    ...JUMPS.map(([seconds, , words]) =>
      step(`on:${seconds}`, `Move the clock forward by ${words}`, {
        advance: seconds,
        done: `was moved forward by ${words}`,
      }),
    ),
    ...(kind === "real"
      ? []
      : [step("real", "Reset the clock to real time", { set: {}, done: "was reset to real time" })]),
  ];
};

/** @returns what the palette can do with faults: the presets, and turning all off. */
export const useFaultCommands = (): readonly Command[] => {
  const faults = useQuery(faultList.query(null)).data?.items ?? [];
  const turnOff = useTurningOff();
  const apply = usePreset();
  return [
    ...(faults.length === 0
      ? []
      : [
          {
            id: "faults:off",
            title: "Turn off all faults",
            hint: String(faults.length),
            run: () => turnOff.run(faults, true),
          },
        ]),
    ...PRESETS.map((preset) => ({
      id: `fault:${preset.id}`,
      title: `Set a fault: ${preset.title}`,
      run: () => apply(preset),
    })),
  ];
};

/** What can be done on the screen of fixtures: title, and the part and place of it where that is done. */
const WAYS: readonly (readonly [id: string, title: string, show: string | null, place: string | null])[] = [
  ["export", "Export fixtures", null, null],
  ["import", "Import data", "import", null],
  ["generate", "Generate users", "generate", null],
  ["save", "Save a snapshot", "snapshots", "new"],
  ["snapshots", "Restore a snapshot", "snapshots", null],
];

/** @returns the ways to export, import, generate, reset and snapshots. */
export const useFixtureCommands = (): readonly Command[] => {
  const { address, go } = useAddress();
  const { appOf } = useApps();
  const app = appOf(address.app);
  return [
    ...WAYS.map(([id, title, show, place]) => ({
      id: `fixtures:${id}`,
      title,
      run: () => go({ screen: "fixtures", show, id: place, q: "" }),
    })),
    {
      id: "fixtures:reset",
      title: `Reset ${app?.name ?? "all apps"} to the fixtures`,
      run: () => resetData(app).catch(complain),
    },
  ];
};
