/** What kits add to Connect. */
import type { TlsUrls } from "../features/connect/targets.ts";
import { HttpsPart, LanSwitch } from "./devices/network-switches.tsx";
import { useTlsUrls } from "./devices/queries.ts";
import { ReachCheck } from "./devices/reach-check.tsx";
import { ToolButton } from "./devices/tool-button.tsx";
import { inARow } from "./in-a-row.ts";
import type { OfTarget } from "./manifest.ts";
import { JoinPart } from "./sharing/join-part.tsx";

/** What opens auth to phones: one line for each. */
// biome-ignore format: one line a kit
export const LanSwitches = inARow<object>([
  LanSwitch,
]);

/** What they do and check where a client runs: one line for each. */
// biome-ignore format: one line each
export const TargetParts = inARow<OfTarget>([
  ToolButton,
  ReachCheck,
]);

/** Their sections of the screen: one line for each. */
// biome-ignore format: one line a kit
export const ConnectParts = inARow<object>([
  HttpsPart,
]);

/** Those at the end of the screen: one line for each. */
// biome-ignore format: one line a kit
export const LastConnectParts = inARow<object>([
  JoinPart,
]);

// biome-ignore format: one line a kit
const useTls = (): readonly (TlsUrls | undefined)[] => [
  useTlsUrls(),
];

/** @returns the https URLs of auth; undefined until they are known, and where no kit has any. */
export const useTlsOfAuth = (): TlsUrls | undefined => useTls().find((urls) => urls !== undefined);
