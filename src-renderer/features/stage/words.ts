/** The texts of the stage while there is no code. */
import type { PhoneState } from "#contract/stage-bridge.ts";

/** What is written in place of the code. */
export type Words = readonly [title: string, hint: string];

/** The server is unreachable. */
export const AWAY: Words = ["Disconnected from Stagedoor", "The stage goes on by itself when the server is back."];

const AGAIN = "Press R to reset, or try again on the phone.";

/** By the state of the phone. */
export const HINTS: Readonly<Record<PhoneState, Words>> = {
  loading: ["Setting the stage", "The phone starts."],
  idle: ["Who signs in?", "Press a number, or type into the phone."],
  asking: ["The phone asks for a code", "It appears here."],
  code: ["The code is on its way", "It appears here."],
  checking: ["The phone sends the code", ""],
  wrong: ["Wrong code", AGAIN],
  expired: ["The code has expired", AGAIN],
  locked: ["Locked", AGAIN],
  failed: ["The request failed", AGAIN],
  offline: ["The phone has no connection", AGAIN],
  signedIn: ["Signed in", "A new account needs no code."],
  unknownApp: ["This app is gone", "Press R to set the stage again."],
};
