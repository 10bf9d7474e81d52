import type { Passcode, Profile } from "#client/index.ts";
import type { PasscodeStatus } from "#contract/service/passcodes.ts";
import type { CodeLook, Tone } from "../../ui/tones.ts";

/** @returns the status at a time: an active passcode may have expired since the server's response. */
export const statusAt = ({ status, expiresAt }: Passcode, nowMs: number): PasscodeStatus =>
  status === "active" && Date.parse(expiresAt) <= nowMs ? "expired" : status;

/** The status for display: `test` always signs its user in; `lost` was kept from arriving by a fault, `pending` is delayed. */
export type PasscodeStanding = PasscodeStatus | "test" | "lost" | "pending";

/** @returns the display status at a time. @param profile its user, once loaded. */
export const standingAt = (
  passcode: Passcode,
  nowMs: number,
  profile: Profile | null | undefined,
): PasscodeStanding => {
  if (profile?.testPasscode === passcode.code) return "test";
  if (passcode.delivery === "pending") return "pending";
  return passcode.delivery === "failed" ? "lost" : statusAt(passcode, nowMs);
};

/** @returns whether a passcode can sign in. */
export const isAlive = (standing: PasscodeStanding): boolean => standing === "active" || standing === "test";

/** @returns the number of wrong attempts. A fixed code stays active after a correct one. */
export const wrongAttempts = ({ status, attempts, tried, code }: Passcode): number => {
  if (status === "used") return attempts - 1;
  return tried.includes(code) ? tried.filter((typed) => typed !== code).length : attempts;
};

/** Labels of all statuses without a countdown. */
export const STANDING_WORDS: Readonly<
  Record<Exclude<PasscodeStanding, "active">, readonly [tone: Tone, word: string]>
> = {
  used: ["quiet", "Used"],
  replaced: ["quiet", "Replaced"],
  expired: ["quiet", "Expired"],
  exhausted: ["bad", "Locked"],
  test: ["info", "Always works"],
  lost: ["warn", "Not delivered"],
  pending: ["warn", "Delayed"],
};

/** The last line of an unfinished login; empty if there is nothing to say. */
export const LOGIN_ENDS: Readonly<Record<PasscodeStanding, string>> = {
  active: "Waiting for the correct code",
  test: "Fixed code: always works",
  expired: "The code expired",
  replaced: "A newer code replaced it",
  exhausted: "Locked. Request a new code.",
  lost: "Not delivered (simulated)",
  pending: "Delayed (simulated)",
  used: "",
};

/** @returns the last line of an unfinished login; empty if there is nothing to say. */
export const endWords = (standing: PasscodeStanding): string => LOGIN_ENDS[standing];

/** @returns the style of the code. */
export const lookOf = (standing: PasscodeStanding): CodeLook =>
  isAlive(standing) ? "live" : standing === "used" ? "used" : "spent";
