/**
 * What there is to say of a passcode.
 */
import type { PasscodeStatus } from "#contract/passcodes.ts";
import type { Passcode } from "../../api/records.ts";
import type { CodeLook } from "../../ui/code-look.ts";

/** @returns the status at a time: the server computed it when it answered, and an active one may have expired since. */
export const statusAt = ({ status, expiresAt }: Passcode, nowMs: number): PasscodeStatus =>
  status === "active" && Date.parse(expiresAt) <= nowMs ? "expired" : status;

/** @returns how many tries were wrong. A standing test code stays active when it was right. */
export const wrongTries = ({ status, attempts, tried, code }: Passcode): number => {
  if (status === "used") return attempts - 1;
  return tried.includes(code) ? tried.filter((typed) => typed !== code).length : attempts;
};

const triesWords = (wrong: number): string => (wrong === 1 ? "1 wrong try" : `${wrong} wrong tries`);

/** @returns the words for a passcode that is no longer active, and for an active one that saw wrong tries. */
export const statusWords = (passcode: Passcode, status: PasscodeStatus): string => {
  const wrong = wrongTries(passcode);
  const tries = wrong > 0 ? triesWords(wrong) : "";
  switch (status) {
    case "active":
      return tries;
    case "exhausted":
      return tries;
    case "used":
      return tries === "" ? "Used" : `Used, ${tries}`;
    case "replaced":
      return tries === "" ? "Replaced" : `Replaced, ${tries}`;
    case "expired":
      return tries === "" ? "Expired" : `Expired, ${tries}`;
  }
};

/** @returns how the code is drawn. */
export const lookOf = (status: PasscodeStatus): CodeLook =>
  status === "active" ? "live" : status === "used" ? "used" : "spent";

/** The filters of the inbox. */
export const FILTERS = [
  [null, "All"],
  ["active", "Active"],
  ["used", "Used"],
  ["failed", "Failed tries"],
] as const;

/** @returns whether the filter lets a passcode through. */
export const passes = (passcode: Passcode, show: string | null, nowMs: number): boolean => {
  if (show === "active" || show === "used") return statusAt(passcode, nowMs) === show;
  return show === "failed" ? wrongTries(passcode) > 0 : true;
};
