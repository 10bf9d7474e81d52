import type { Passcode } from "#client/index.ts";
import type { PasscodeStatus } from "#contract/service/passcodes.ts";

/** @returns the status at a time: an active passcode may have expired since the server's response. */
export const statusAt = ({ status, expiresAt }: Passcode, nowMs: number): PasscodeStatus =>
  status === "active" && Date.parse(expiresAt) <= nowMs ? "expired" : status;

/** @returns the number of wrong attempts. A fixed code stays active after a correct one. */
export const wrongAttempts = ({ status, attempts, tried, code }: Passcode): number => {
  if (status === "used") return attempts - 1;
  return tried.includes(code) ? tried.filter((typed) => typed !== code).length : attempts;
};
