import { useQuery } from "@tanstack/react-query";
import type { Fault } from "#client/index.ts";
import { emulator } from "./emulator.ts";
import { LiveList } from "./live-list.ts";

/** All faults of all apps, in order of precedence. */
export const faultList = new LiveList<Fault>({
  key: "faults",
  read: (_appId, _limit, signal) => emulator.withSignal(signal).faults.list(),
});

const NONE: readonly Fault[] = [];

/** @returns all faults of all apps, none until they are loaded. */
export const useFaults = (): readonly Fault[] => useQuery(faultList.query(null)).data?.items ?? NONE;

/** @returns whether a fault can still apply to a request. */
export const isOn = ({ remaining }: Fault): boolean => remaining !== 0;
