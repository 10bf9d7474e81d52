/** The texts of the demo app. */
import type { Failure } from "./service.ts";

const REASONS: Readonly<Record<string, string>> = {
  unreachable: "No connection to Stagedoor. Check the network and try again.",
  unknown_app: "This app id is unknown. Check the link.",
  unknown_record: "This app id is unknown. Check the link.",
  unknown_user: "There is no account with these details.",
  sign_up_closed: "This app does not accept new accounts.",
  passcode_mismatch: "Wrong code. Try again.",
  passcode_not_sent: "No code was sent yet. Request one.",
  passcode_replaced: "A newer code was sent. Enter that one.",
  passcode_expired: "This code has expired. Request a new one.",
  passcode_used: "This code was already used. Request a new one.",
  passcode_exhausted: "Locked after too many wrong attempts. Request a new code.",
};

/** @returns one or two sentences for the user. */
export const wordsOf = ({ status, reason, detail, retrySeconds }: Failure): string => {
  const known = REASONS[reason];
  if (known !== undefined) return known;
  if (status === 429) return `Too many requests. Try again in ${retrySeconds ?? 60} seconds.`;
  if (status === 422 && detail !== "") return `Check what you entered: ${detail}.`;
  if (status === 401) return "Sign-in failed. Check the code, or request a new one.";
  return `Something went wrong (${status}). Try again.`;
};

/** @returns a duration such as 23:59:58. @param seconds not negative. */
export const spanWords = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
};
