/** The outcomes of a login, for API, UI, documentation, command line and agents. */
import { REASON_WORDS as WHY } from "#contract/service/reasons.ts";

interface OutcomeRow {
  readonly group: string;
  readonly title: string;
  /** What an app should show then. */
  readonly screen: string;
  /** What to do once it is provoked; `{user}` stands for whom it was arranged for. */
  readonly then: string;
}

const of =
  (group: string) =>
  (title: string, screen: string, then: string): OutcomeRow => ({ group, title, screen, then });
const signingUp = of("Signing up");
const code = of("Receiving the code");
const entering = of("Entering the code");
const line = of("Network and server");
const afterwards = of("After sign-in");

const ASK = "Request a code as {user}.";
const TYPE = "Request a code as {user}, and enter it.";
const SIGN_IN = "Sign in as {user}.";

// biome-ignore format: a table
const table = {
  signedUp: signingUp("Signed up", "Signs the new user in immediately, without a code.",
    "Sign up with a phone number or email that no user has."),
  signUpRefused: signingUp("Sign-up rejected", WHY.sign_up_closed.screen,
    "Sign up."),
  signedUpAgain: signingUp("Signed up after deletion", "Starts fresh, with no data from the deleted account.",
    "Sign up as {user} again: the account is deleted."),

  codeSent: code("Code sent", "Says where the code was sent, and asks for it.", ASK),
  codeResent: code("Code resent", "Says that a new code is on its way, and accepts only the newest.", ASK),
  codeLate: code("Code delayed", "Keeps waiting without an error, and offers to resend.",
    "Request a code as {user}, and wait 15 s for it."),
  codeTwice: code("Code delivered twice", "Accepts the code from either message.",
    ASK),
  codeNeverCame: code("Code not delivered", "Offers to resend the code.", ASK),
  rateLimited: code("Rate-limited", WHY.rate_limited.screen, ASK),

  signedIn: entering("Signed in", "Opens the app for this user.", TYPE),
  signedInWithDetails: entering("Profile updated at sign-in", "Shows the name or email that was sent with the code.",
    "Sign in as {user}, and send a name or email along with the code."),
  wrongCode: entering("Wrong code", WHY.passcode_mismatch.screen,
    "Request a code as {user}, and enter a wrong one."),
  rightAfterWrong: entering("Correct after a wrong code", "Clears the error, and opens the app.",
    "Request a code as {user}, enter a wrong one, then the correct one."),
  locked: entering("Locked", WHY.passcode_exhausted.screen, TYPE),
  expiredCode: entering("Expired code", WHY.passcode_expired.screen, TYPE),
  replacedCode: entering("Replaced code", WHY.passcode_replaced.screen, TYPE),
  usedCode: entering("Used code", WHY.passcode_used.screen, TYPE),
  noCode: entering("No code requested", WHY.passcode_not_sent.screen, TYPE),

  slowAnswer: line("Slow response", "Shows progress, and doesn't send the request twice.", ASK),
  noAnswer: line("No response", "Says that the connection failed, and keeps what was entered.", ASK),
  answerLost: line("Answer lost", "Offers a new code at once, and does not repeat the request by itself.", TYPE),
  sentTwice: line("Sent twice", "Offers a new code at once, rather than blaming the one that was entered.", TYPE),
  serverError: line("Server error", "Says that the service has a problem, and offers to retry.", ASK),
  appGaveUp: line("App timed out", "Says that it took too long, and offers to retry.",
    "Request a code as {user}, and wait until the app times out."),

  signedInAfterExpiry: afterwards("Signed in after session expired", "Asks to sign in again, then returns to the same place.",
    SIGN_IN),
  signedInAfterRevocation: afterwards("Signed in after session was revoked",
    "Says that the session was ended elsewhere, and asks to sign in again.", SIGN_IN),
  signedOut: afterwards("Signed out", "Shows the sign-in screen, with nothing of the user's left.",
    "Sign in as {user}, then out, in an app with the setting `sessionExtensions`."),
} as const satisfies Readonly<Record<string, OutcomeRow>>;

/** The name of an outcome. */
export type OutcomeId = keyof typeof table;
export const OUTCOMES: Readonly<Record<OutcomeId, OutcomeRow>> = table;
/** The names of all outcomes, in the order of the table. */
export const OUTCOME_IDS = Object.keys(OUTCOMES) as readonly OutcomeId[];

/** @param user the username that it was arranged for. @returns what to do to meet an outcome. */
export const thenOf = (outcome: OutcomeId, user = "any user"): string =>
  OUTCOMES[outcome].then.replace("{user}", () => user);
