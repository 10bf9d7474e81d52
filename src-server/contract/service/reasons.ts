/**
 * Why a request can be refused, in words: one table for the error table, faults, logins, coverage, the command line,
 * agents and the documentation. Plain data without zod, because the first view of the UI reads it too.
 */

/** A row of the table. */
interface ReasonWords {
  /** In two or three words, such as a result next to a typed code. */
  readonly short: string;
  /** What is the case, as a clause. */
  readonly sentence: string;
  /** What the app should show; absent for what only a backend can meet. */
  readonly screen?: string;
}

/** The reasons that a login can fail for, and that a fault can have. */
// biome-ignore format: a table
export const REASON_WORDS = {
  passcode_expired: { short: "code expired", sentence: "the passcode has expired",
    screen: "Says that the code has expired, and offers a new one." },
  passcode_exhausted: { short: "locked out", sentence: "the passcode is locked after too many wrong attempts",
    screen: "Says that there were too many wrong codes, and offers a new one." },
  passcode_mismatch: { short: "wrong code", sentence: "the passcode differs from the one that was sent",
    screen: "Says that the code is wrong, and lets the user correct it." },
  passcode_used: { short: "code already used", sentence: "the passcode was already used",
    screen: "Says that the code was already used, and offers a new one." },
  passcode_replaced: { short: "code replaced", sentence: "the passcode was replaced by a newer one",
    screen: "Says that a newer code was sent, and asks for that one." },
  passcode_not_sent: { short: "no code sent", sentence: "no passcode was sent to this user",
    screen: "Offers to send a code." },
  rate_limited: { short: "rate-limited", sentence: "the request exceeds a rate limit of the app's settings",
    screen: "Says how long to wait, and disables “Send code” until then." },
  unknown_user: { short: "unknown user", sentence: "no user of the app has this phone or email" },
  unknown_app: { short: "unknown app", sentence: "the appId is unknown" },
  sign_up_closed: { short: "sign-up closed", sentence: "sign-up is closed and the username is new",
    screen: "Explains that sign-up isn't possible, and keeps what was entered." },
  unknown_secret: { short: "unknown secret", sentence: "no app has this secret" },
  unknown_profile: { short: "unknown profile", sentence: "the app has no profile with this id" },
  internal: { short: "internal error", sentence: "Stagedoor failed unexpectedly" },
  disk_full: { short: "disk full", sentence: "the disk is full" },
} as const satisfies Readonly<Record<string, ReasonWords>>;

/** @returns the reason in two or three words; undefined for one that no login meets. */
export const shortReason = (reason: string | null): string | undefined => {
  const rows: Readonly<Record<string, ReasonWords>> = REASON_WORDS;
  return reason !== null && Object.hasOwn(rows, reason) ? rows[reason]?.short : undefined;
};
