/** What the stage holds: how its phone stands, whose calls are its own, and what the presenter has switched. */
import { create } from "zustand";

/** How the login on the phone stands, as the demo app tells. */
export const PHONE_STATES = [
  "loading",
  "idle",
  "asking",
  "code",
  "checking",
  "wrong",
  "expired",
  "locked",
  "failed",
  "offline",
  "signedIn",
  "unknownApp",
] as const;
/** @see PHONE_STATES */
export type PhoneState = (typeof PHONE_STATES)[number];

/** Left, top, width and height in pixels of the phone's own screen. */
export type Box = readonly [number, number, number, number];

/** @see useStage */
export interface StageState {
  readonly phone: PhoneState;
  /** Where the phone wants a code; null: it wants none. */
  readonly field: Box | null;
  /** Requests that the phone has made since the last reset: all others are the audience's. */
  readonly own: readonly string[];
  /** The time of the newest request at the last reset. */
  readonly since: string;
  readonly blurred: boolean;
  readonly offline: boolean;
  /** Whether the QR code for the audience covers the stage. */
  readonly audience: boolean;
  /** Whether the row of keys stays. */
  readonly keysStay: boolean;
}

/** When a stage begins. */
export const BEGINNING: StageState = {
  phone: "loading",
  field: null,
  own: [],
  since: "",
  blurred: false,
  offline: false,
  audience: false,
  keysStay: false,
};

/** @see StageState */
export const useStage = create<StageState>(() => BEGINNING);
