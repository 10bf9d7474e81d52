/** The state of the stage: its phone, its own calls, and the presenter's toggles. */
import { create } from "zustand";
import type { PhoneBox, PhoneState } from "#contract/stage-bridge.ts";

/** @see useStage */
interface StageState {
  readonly phone: PhoneState;
  readonly field: PhoneBox;
  /** The phone's requests since the last reset: all others are the audience's. */
  readonly own: readonly string[];
  /** The time of the newest request at the last reset. */
  readonly since: string;
  readonly blurred: boolean;
  readonly offline: boolean;
  readonly audience: boolean;
  /** Whether the room has the right half, without the QR code. */
  readonly guests: boolean;
  /** The auth URL in the QR code; null: the first one. */
  readonly address: string | null;
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
  guests: false,
  address: null,
  keysStay: false,
};

/** The state of the stage. */
export const useStage = create<StageState>(() => BEGINNING);
