/** The state of the stage: its phone, its own calls, and the presenter's toggles. */
import { create } from "zustand";
import type { PhoneBox, PhoneState } from "#contract/control/stage-bridge.ts";

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
  /** The requests of its phone before this page. */
  readonly earlier: readonly string[];
  /** The next step of the show. */
  readonly at: number;
  /** When the first key was pressed, in ms since 1970. */
  readonly beganAt: number | null;
  /** The person who signed in last; -1: nobody yet. */
  readonly person: number;
  /** Why the last key did nothing; empty after two seconds. */
  readonly said: string;
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
  earlier: [],
  at: 0,
  beganAt: null,
  person: -1,
  said: "",
};

/** The state of the stage. */
export const useStage = create<StageState>(() => BEGINNING);

/** How long it says why a key did nothing, in milliseconds. */
const SAID_MS = 2_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says for two seconds why a key did nothing. */
export const say = (said: string): void => {
  clearTimeout(timer);
  useStage.setState({ said });
  timer = setTimeout(() => useStage.setState({ said: "" }), SAID_MS);
};
