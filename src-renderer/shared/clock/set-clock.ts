import type { ClockInput } from "#client/index.ts";
import { emulator, ofApp } from "../../api/emulator.ts";

/** Sets a clock. @param appId null: the global clock; apps with their own clock then follow it. */
export const setClock = (appId: string | null, setting: ClockInput) => emulator.clock.set(setting, ofApp(appId));

/** Advances a clock by seconds, or back if negative. @param appId null: every clock, each from its own time. */
export const advanceClock = (appId: string | null, seconds: number) => emulator.clock.advance(seconds, ofApp(appId));
