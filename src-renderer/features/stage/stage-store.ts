/** The state of the stage: its phone, its own calls, and the presenter's toggles. */
import { create } from "zustand";

/** The states of the login on the phone, as sent by the demo app. */
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
  /** The phone's code field; null if it expects no code. */
  readonly field: Box | null;
  /** The phone's requests since the last reset: all others are the audience's. */
  readonly own: readonly string[];
  /** The time of the newest request at the last reset. */
  readonly since: string;
  readonly blurred: boolean;
  readonly offline: boolean;
  /** Whether the QR code for the audience is shown. */
  readonly audience: boolean;
  /** Whether the shortcuts stay visible. */
  readonly keysStay: boolean;
}

/** The initial state. */
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
