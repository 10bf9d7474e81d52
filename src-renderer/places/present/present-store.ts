/** What Present knows beside the server: the state of its phone, and what was pressed. */
import { create } from "zustand";
import type { PhoneState } from "#contract/control/stage-bridge.ts";

/** @see usePresent */
interface PresentState {
  readonly phone: PhoneState;
  /** Whether the phone expects a code. */
  readonly asksCode: boolean;
  /** The phone's requests since the last reset: all others are those of real phones. */
  readonly own: readonly string[];
  /** The one that sent the code for which the phone asks. */
  readonly asked: string | null;
  /** The time of the newest request at the last reset. */
  readonly since: string;
  /** When the clock was moved on, as ISO instants of real time. */
  readonly moves: readonly string[];
  /** The number of users so far: the next one is this many after the first. */
  readonly users: number;
  /** Why the last key did nothing; empty after some seconds. */
  readonly said: string;
}

/** The initial state. */
export const BEGINNING: PresentState = {
  phone: "loading",
  asksCode: false,
  own: [],
  asked: null,
  since: "",
  moves: [],
  users: 0,
  said: "",
};

/** The state of Present. */
export const usePresent = create<PresentState>(() => BEGINNING);

const SAID_MS = 4_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says for four seconds why a key did nothing. */
export const say = (said: string): void => {
  clearTimeout(timer);
  usePresent.setState({ said });
  timer = setTimeout(() => usePresent.setState({ said: "" }), SAID_MS);
};
