/**
 * The outcomes of a login (CONTRACT 15): what can happen to somebody who signs in. API, UI, documentation, command line
 * and agents take them from this table.
 */
import { frozen } from "#contract/frozen.ts";

/** A row of the table. */
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
const code = of("The code");
const entering = of("Entering it");
const line = of("The line");
const afterwards = of("Afterwards");

const ASK = "Ask for a code as {user}.";
const TYPE = "Ask for a code as {user} and type it.";
const SIGN_IN = "Sign in as {user}.";

// biome-ignore format: a table
const table = frozen({
  signedUp: signingUp("Signed up", "Signs the new user in at once, without a code.",
    "Sign up with a phone number or email that no user has."),
  signUpRefused: signingUp("Sign-up refused", "Says that nobody can sign up so, and keeps what was typed.",
    "Sign up."),
  signedUpAgain: signingUp("Signed up again", "Starts afresh: nothing of the deleted account is left.",
    "Sign up as {user}, who was deleted."),

  codeSent: code("Code sent", "Says where the code was sent, and asks for it.", ASK),
  codeResent: code("Code sent again", "Says that a new code is on its way, and asks for the newest one.", ASK),
  codeLate: code("Code came late", "Keeps waiting without an error, and offers to send another code.",
    "Ask for a code as {user}, and wait 15 s for it."),
  codeTwice: code("Code came twice", "Takes the code from either message.",
    ASK),
  codeNeverCame: code("Code never came", "Offers to send the code again.", ASK),
  rateLimited: code("Too many requests", "Says how long to wait, and does not ask again before.", ASK),

  signedIn: entering("Signed in", "Opens the app for this user.", TYPE),
  signedInWithDetails: entering("Signed in with details", "Shows the name or email that was sent with the code.",
    "Sign in as {user}, and send a name or the other contact with the code."),
  wrongCode: entering("Wrong code", "Says that the code is wrong, and lets the user correct it.",
    "Ask for a code as {user} and type another one."),
  rightAfterWrong: entering("Right after wrong", "Removes the error, and opens the app.",
    "Ask for a code as {user}, type a wrong one, then the right one."),
  locked: entering("Locked", "Says that there were too many wrong codes, and offers a new one.", TYPE),
  expiredCode: entering("Expired code", "Says that the code is too old, and offers a new one.", TYPE),
  replacedCode: entering("Replaced code", "Says that a newer code was sent, and asks for that one.", TYPE),
  usedCode: entering("Used code", "Says that the code was used before, and offers a new one.", TYPE),
  noCode: entering("No code was sent", "Offers to send a code.", TYPE),

  slowAnswer: line("Slow answer", "Shows that it is working, and sends nothing twice.", ASK),
  noAnswer: line("No answer", "Says that the connection failed, and keeps what was typed.", ASK),
  serverError: line("Server error", "Says that the service has a problem, and offers to try again.", ASK),
  appGaveUp: line("App gave up", "Says that it took too long, and offers to try again.",
    "Ask for a code as {user}, and let the app run into its own timeout."),

  signedInAfterExpiry: afterwards("Signed in after expiry", "Asks to sign in again, then returns to the same place.",
    SIGN_IN),
  signedInAfterRevocation: afterwards("Signed in after revocation",
    "Says that the session was ended elsewhere, and asks to sign in again.", SIGN_IN),
  signedOut: afterwards("Signed out", "Shows the sign-in screen, and nothing of the user.",
    "Sign in as {user}, then out, in an app with the setting `sessionExtensions`."),
} satisfies Readonly<Record<string, OutcomeRow>>);

/** The name of an outcome. */
export type OutcomeId = keyof typeof table;
/** @see the file */
export const OUTCOMES: Readonly<Record<OutcomeId, OutcomeRow>> = table;
/** The names of all outcomes, in the order of the table. */
export const OUTCOME_IDS = frozen(Object.keys(OUTCOMES) as readonly OutcomeId[]);

/** @param user the username that it was arranged for. @returns what to do to meet an outcome. */
export const thenOf = (outcome: OutcomeId, user = "any user"): string =>
  OUTCOMES[outcome].then.replace("{user}", () => user);
