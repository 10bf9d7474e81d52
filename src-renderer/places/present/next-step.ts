/** What Space does next, by where the login on the phone is. */
import type { Passcode } from "#client/index.ts";
import type { Order, PhoneState } from "#contract/control/stage-bridge.ts";
import type { UsernameField } from "#contract/service/strategies.ts";

/** Typing speed in milliseconds per letter, slow enough to follow. */
const LETTER_MS = 45;
const WORD_MS = 700;
const DIGIT_MS = 90;

/** @returns whether the user prefers reduced motion: everything is then typed at once. */
const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What the key does, in two words, and the order that does it; or why it cannot now. */
export type NextStep = { readonly label: string } & ({ readonly order: Order } | { readonly why: string });

/** Where a login is. */
interface Login {
  readonly phone: PhoneState;
  readonly asksCode: boolean;
  /** The newest code of the phone. */
  readonly newest: Passcode | undefined;
  readonly field: UsernameField;
  /** The next user's number or address. */
  readonly username: string;
}

/** @returns an order that types a code. */
export const typeCode = (code: string): Order => ({ type: "code", code, everyMs: isStill() ? 0 : DIGIT_MS });

const NUMBER = { phone: "Enter number", email: "Enter email" } as const;
const WAITS: ReadonlySet<PhoneState> = new Set<PhoneState>(["loading", "typing", "asking", "checking"]);

/** @returns the next step of a login. */
export const nextStepOf = ({ phone, asksCode, newest, field, username }: Login): NextStep => {
  const isEnded = phone === "expired" || phone === "locked";
  const user: Order = {
    type: "user",
    username,
    everyMs: isStill() ? 0 : Math.min(LETTER_MS, WORD_MS / username.length),
  };
  if (phone === "signedIn") return { label: "Next user", order: user };
  if (phone === "unknownApp") return { label: NUMBER[field], why: "The phone does not know its app. Press R." };
  if (asksCode || phone === "checking") {
    if (isEnded || (newest !== undefined && newest.delivery !== "sent"))
      return { label: "New code", order: { type: "resend" } };
    if (phone === "checking") return { label: "Enter code", why: "The phone is waiting for the response." };
    if (newest === undefined) return { label: "Enter code", why: "There is no code yet." };
    return { label: "Enter code", order: typeCode(newest.code) };
  }
  const isEmpty = phone === "idle" || phone === "loading" || phone === "typing";
  const label = isEmpty ? NUMBER[field] : "Request code";
  if (WAITS.has(phone))
    return { label, why: phone === "asking" ? "The phone is waiting for the response." : "The phone is busy." };
  return { label, order: isEmpty ? user : { type: "submit" } };
};
