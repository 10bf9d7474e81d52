/** All texts of the stage: one table for each language. */
import type { PhoneState } from "#contract/control/stage-bridge.ts";
import { many } from "#contract/words/words.ts";
import { LOGIN_ENDS, type PasscodeStanding } from "../../shared/login/passcode-status.ts";

/** A title, and a line below it. */
export type Words = readonly [title: string, hint: string];

const AGAIN = "Press R to start over, or try again on the phone.";

/** By the state of the phone: what is written in place of the code. */
const HINTS: Readonly<Record<PhoneState, Words>> = {
  loading: ["Setting the stage", "Starting the phone…"],
  idle: ["Who signs in?", "Press a number, or type on the phone."],
  asking: ["Requesting a code…", "The code will appear here."],
  code: ["The code is on its way", "The code will appear here."],
  checking: ["The phone sends the code", ""],
  wrong: ["Wrong code", AGAIN],
  expired: ["The code has expired", AGAIN],
  locked: ["Locked", AGAIN],
  failed: ["The request failed", AGAIN],
  offline: ["The phone has no connection", AGAIN],
  signedIn: ["Signed in", "A new account needs no code."],
  unknownApp: ["App not found", "Press R to start over."],
};

/** Beside the bar of the code's life. */
const STANDINGS: Readonly<Record<Exclude<PasscodeStanding, "active">, string>> = {
  used: "Signed in",
  replaced: "Replaced",
  expired: "Expired",
  exhausted: "Locked",
  test: "Always works",
  lost: "Not delivered",
  pending: "Delayed",
};

/** The last line of a login that has not ended; `active` has the attempts left. */
const ENDS: Readonly<Record<PasscodeStanding, string>> = {
  ...LOGIN_ENDS,
  active: "Waiting for the code",
  test: "Waiting for the code",
};

const RESULTS: Readonly<Record<string, string>> = {};

const EN = {
  title: "Stage",
  connecting: "Connecting to Stagedoor …",
  leave: "Leave",
  phone: "Phone",
  noNetwork: "No network",
  messages: "Messages",
  mail: "Mail",
  now: "now",
  /** The server is unreachable. */
  away: ["Disconnected from Stagedoor", "The stage resumes when Stagedoor is back."] satisfies Words,
  hints: HINTS,
  standings: STANDINGS,
  ends: ENDS,
  /** After the wrong code that locks: the phone has only been told that it was wrong. */
  lastTried: ["That was the last attempt", "The next attempt will be rejected as locked."] satisfies Words,
  lastAttempt: "Last attempt used",
  /** Where in a login this is. */
  newestCode: "Newest code",
  codeFor: "Code for",
  thisLogin: "This login",
  left: (time: string) => `${time} left`,
  attemptsLeft: (count: number) => `${many(count, "attempt")} left`,
  whoMaySignIn: "Who may sign in",
  someone: "Someone",
  asks: (who: string) => `${who} requests a code`,
  signsUp: (who: string) => `${who} signs up`,
  hasAccount: (who: string) => `${who} has a new account`,
  noAnswer: "No response",
  refuses: "The request fails",
  sendsCode: "The service sends a code",
  sendsLost: "The code is sent, but not delivered",
  closed: "The connection was closed",
  signedIn: (who: string, code: string) => `${who} enters ${code}: signed in`,
  enters: (who: string, code: string, result: string) => `${who} enters ${code}: ${result}`,
  wrong: "wrong",
  /** By the reason of the service; where there is none, the result as the console says it. */
  results: RESULTS,
  /** In the head. */
  nextFails: "Next request fails",
  phoneOffline: "Phone offline",
  openToNetwork: "open to this network",
  onThisMachine: "nothing leaves this machine",
  /** The phones of the audience. */
  inAudience: "In the audience",
  audienceCodes: "Codes of the audience",
  forAudience: "For the audience",
  askToOpen: "Open to phones on this network?",
  whatOpens: "This opens only the sign-in page to phones on this Wi-Fi. Everything else stays private.",
  openNetwork: "Open network",
  tryIt: "Try it on your phone",
  howToTry: "Same Wi-Fi, no app, no account. Your code appears here.",
  close: "Close",
  address: "Address of the QR code",
  room: "Audience",
  guests: { joined: "joined", in: "signed in" },
  areIn: (signedIn: number, all: number) => (all === 0 ? "No one has joined yet" : `${signedIn} of ${all} are in`),
  page: (page: number, pages: number) => `${page} of ${pages}`,
  more: (count: number) => `and ${count} more`,
  /** Keys, and what they cannot do now. */
  keys: "Keys",
  people: "People",
  keysOfStage: "Keys of the stage",
  doType: "enter code",
  doTypeWrong: "wrong code",
  doFail: "fail",
  doExpire: "expire",
  doOffline: "offline",
  doBlur: "blur",
  doAudience: "QR code",
  doGuests: "audience",
  doReset: "start over",
  doNotes: "notes",
  doKeys: "keys",
  doNext: "Next",
  doBack: "Back",
  /** The window of the presenter. */
  notes: "Notes",
  comesNext: "Next",
  onStage: "On the stage",
  sinceStart: "Elapsed",
  noStage: "Waiting for a stage in this browser. Open the stage and press N there.",
  notesBlocked: "The browser did not open the notes: allow pop-ups for this page.",
  next: "next",
  back: "back",
  moreKeys: "Keys and clicker",
  /** Why a key did nothing. */
  noCodeAsked: "The phone isn’t waiting for a code.",
  noCode: "No code yet.",
  notArrived: "The message has not arrived.",
  nothingToExpire: "No code to expire.",
  nobody: (key: string) => `No person on key ${key}.`,
  nothingBack: "Nothing to go back to.",
  showIsOver: "End of the show. Press R to repeat the last part.",
  keysAreOff: "Single keys are off: turn them on in the console's Help (?).",
  noUsername: { phone: "has no phone number", email: "has no email address" },
  morePeople: (count: number) => `and ${count} more in the buttons below`,
};

/** @see words */
export type StageWords = typeof EN;

let spoken: StageWords = EN;

/** @returns the texts of the stage. */
export const words = (): StageWords => spoken;

/** Speaks a language from the next rendering on. @param table its texts. */
export const speak = (table: Partial<StageWords>): void => {
  spoken = { ...EN, ...table };
};
