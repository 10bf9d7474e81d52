/**
 * The types of `stagedoor/client`: in a checkout they are the contract's own. The build writes them out in full
 * (`tools/documents/client-types.ts`), because users have neither the contract nor zod.
 */
import type { z } from "zod";
import type { clientTypes } from "#contract/documents/client-types.ts";

type Types = typeof clientTypes;
/** What is sent or answered under this name. */
type Of<N extends keyof Types> = z.input<Types[N][0]>;
/** The same for a query, whose numbers are digits on their way. */
type Query<N extends keyof Types, Read = z.output<Types[N][0]>, Sent = Of<N>> = {
  [K in keyof Sent]: K extends keyof Read
    ? Read[K] extends number | undefined
      ? number
      : Exclude<Sent[K], undefined>
    : never;
};

/** A page of a list, and how many there are in all. */
export interface List<T> {
  items: Array<T>;
  total: number;
  /** Where a page ends before the list does: the `after` of the next call, of lists that take one. */
  next?: string;
}

export type Counts = Of<"Counts">;
export type ImportCounts = Of<"ImportCounts">;
export type ResetTrial = Of<"ResetTrial">;
export type Status = Of<"Status">;
export type Settings = Of<"Settings">;
export type App = Of<"App">;
export type AppInput = Of<"AppInput">;
export type NewApp = Of<"NewApp">;
export type AppPatch = Of<"AppPatch">;
export type Scenario = Of<"Scenario">;
export type Profile = Of<"Profile">;
export type ProfileInput = Of<"ProfileInput">;
export type ProfilePatch = Of<"ProfilePatch">;
export type ProfileQuery = Query<"ProfileQuery">;
export type FirstFailure = Of<"FirstFailure">;
export type Passcode = Of<"Passcode">;
export type PasscodeQuery = Query<"PasscodeQuery">;
export type LatestQuery = Omit<Query<"LatestQuery">, "wait"> & {
  /** In milliseconds, or with its unit: `10s`. */
  wait?: number | string;
};
export type Session = Of<"Session">;
export type UserSession = Of<"UserSession">;
export type SessionInput = Of<"SessionInput">;
export type SessionQuery = Query<"SessionQuery">;
export type Introspection = Of<"Introspection">;
export type WrongTokenInput = Of<"WrongTokenInput">;
export type WrongToken = Of<"WrongToken">;
export type Connection = Of<"Connection">;
export type ConnectionInput = Of<"ConnectionInput">;
export type ConnectionPatch = Of<"ConnectionPatch">;
export type ConnectionQuery = Query<"ConnectionQuery">;
export type RequestRow = Of<"RequestRow">;
export type RequestQuery = Query<"RequestQuery">;
export type ReplayInput = Of<"ReplayInput">;
export type Replayed = Of<"Replayed">;
export type EventData = Of<"EventData">;
export type World = Of<"World">;
export type Clock = Of<"Clock">;
export type ClockInput = Of<"ClockInput">;
export type FaultMatch = Of<"FaultMatch">;
export type FaultEffect = Of<"FaultEffect">;
export type Fault = Of<"Fault">;
export type FaultInput = Of<"FaultInput">;
export type CoverageItem = Of<"CoverageItem">;
export type Coverage = Of<"Coverage">;
export type CoverageQuery = Query<"CoverageQuery">;
export type ProvokeInput = Of<"ProvokeInput">;
export type Provoked = Of<"Provoked">;
export type SigningKey = Of<"SigningKey">;
export type RotateInput = Of<"RotateInput">;
export type Snapshot = Of<"Snapshot">;
export type Restored = Of<"Restored">;
export type PublicUrls = Of<"PublicUrls">;
export type PublicUrlsInput = Of<"PublicUrlsInput">;
export type Lan = Of<"Lan">;
export type Tls = Of<"Tls">;
export type AuthClient = Of<"AuthClient">;
export type AdbReverseInput = Of<"AdbReverseInput">;
export type Reach = Of<"Reach">;
export type AdbReversed = Of<"AdbReversed">;
export type SimulatorTrustInput = Of<"SimulatorTrustInput">;
export type SimulatorTrusted = Of<"SimulatorTrusted">;
export type TokenCheckInput = Of<"TokenCheckInput">;
export type TokenCheck = Of<"TokenCheck">;
export type TimelineQuery = Query<"TimelineQuery">;
export type TimelineItem = Of<"TimelineItem">;
export type Timeline = Of<"Timeline">;
export type RewindInput = Of<"RewindInput">;
export type Rewound = Of<"Rewound">;
export type Mark = Of<"Mark">;
export type Exploration = Of<"Exploration">;
export type LoginBundle = Of<"LoginBundle">;
export type Weather = Of<"Weather">;
export type WeatherInput = Of<"WeatherInput">;
