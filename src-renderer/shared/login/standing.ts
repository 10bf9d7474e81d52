/** How a login stands: one word, the same in the list, the detail and the search. */
import type { Passcode, Profile, RequestRow } from "#client/index.ts";
import { givesSession } from "#contract/control/login-end.ts";
import { many, sentence } from "#contract/words/words.ts";
import type { CodeLook, Tone } from "../../ui/tones.ts";
import { refusalName } from "../request/row-words.ts";
import { statusAt, wrongAttempts } from "./passcode-status.ts";
import { isWrongCode, type Story } from "./stories.ts";

/** A login that waits for its code, or how it ended. */
export type StandingKind =
  | "waiting"
  | "wrong"
  | "signedIn"
  | "signedUp"
  | "expired"
  | "replaced"
  | "fixed"
  | "late"
  | "undelivered"
  | "lost"
  | "locked"
  | "failed";

/** @see the file */
export interface Standing {
  readonly kind: StandingKind;
  readonly word: string;
  readonly tone: Tone;
}

const as = (kind: StandingKind, word: string, tone: Tone): Standing => ({ kind, word, tone });

const SIGNED_IN = as("signedIn", "Signed in", "ok");
const ENDED = {
  used: SIGNED_IN,
  replaced: as("replaced", "Replaced", "quiet"),
  expired: as("expired", "Expired", "quiet"),
  exhausted: as("locked", "Locked", "bad"),
} as const;

const hasFailed = ({ status }: RequestRow): boolean => status === 0 || status >= 400;
/** The request was carried out, and the app got no answer, or another one. */
const isLost = (row: RequestRow): boolean => hasFailed(row) && (row.carriedOut?.status ?? 500) < 400;
const failed = (row: RequestRow): Standing => {
  if (row.fault === null) return as("failed", sentence(refusalName(row)), "bad");
  return as("failed", row.status === 0 ? "No response" : `Simulated ${row.status}`, "warn");
};

/** @param profile of the user, once loaded. @returns how the login stands at a time. */
export const standingOf = (
  { rows, passcodes }: Pick<Story, "rows" | "passcodes">,
  nowMs: number,
  profile: Profile | null | undefined,
): Standing => {
  const [last, code] = [rows.at(-1), passcodes.at(-1)];
  if (last !== undefined && isLost(last)) return as("lost", "Answer lost", "warn");
  if (rows.some((row) => row.method === "PUT" && givesSession(row))) return SIGNED_IN;
  if (code === undefined)
    return last !== undefined && hasFailed(last) ? failed(last) : as("signedUp", "Signed up", "ok");
  if (profile?.testPasscode === code.code) return as("fixed", "Fixed code", "info");
  if (code.delivery === "pending") return as("late", "On its way", "warn");
  if (code.delivery === "failed") return as("undelivered", "Not delivered", "warn");
  const status = statusAt(code, nowMs);
  if (status !== "active") return ENDED[status];
  if (last !== undefined && hasFailed(last) && !isWrongCode(last)) return failed(last);
  const wrong = wrongAttempts(code);
  return wrong > 0 ? as("wrong", many(wrong, "wrong code"), "bad") : as("waiting", "Waiting", "ok");
};

/** Those whose code can be typed. */
const ALIVE: ReadonlySet<StandingKind> = new Set(["waiting", "wrong", "fixed"]);

/** @returns whether its code can sign in now. */
export const isOpen = ({ kind }: Standing): boolean => ALIVE.has(kind);

/** @param code alone, without the requests of its login. @returns how it stands at a time. */
export const codeStandingOf = (code: Passcode, nowMs: number, profile: Profile | null | undefined): Standing =>
  standingOf({ rows: [], passcodes: [code] }, nowMs, profile);

/** @returns the style of its code. */
export const lookOf = (standing: Standing): CodeLook =>
  isOpen(standing) ? "live" : standing.kind === "signedIn" ? "used" : "spent";

/** @returns whether it needs someone: it failed, also on purpose. */
export const needsYou = ({ tone }: Standing): boolean => tone === "bad" || tone === "warn";

/** The filters of Codes. */
export const LOGIN_FILTERS = ["waiting", "failed"] as const;

/** @returns whether a login passes the filter of Codes. */
export const passesFilter = (standing: Standing, show: (typeof LOGIN_FILTERS)[number] | null): boolean =>
  show === null || (show === "waiting" ? isOpen(standing) : needsYou(standing));
