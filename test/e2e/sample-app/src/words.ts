/**
 * What the user reads when something went wrong. The service tells a client no more than the status and, for 422, the fields.
 */
import { z } from "zod";
import type { Failure } from "./http.ts";

/** What was being done: the same status means something else at each step. */
export type Step = "ask" | "enter" | "profile";

/** Words for the user, and whether the same request may work later. */
export interface Trouble {
  readonly words: readonly string[];
  readonly worthRetrying: boolean;
}

const fieldErrors = z.record(z.string(), z.array(z.string()));
const LABELS: Readonly<Record<string, string>> = { name: "Name", phone: "Phone", email: "Email", passcode: "Code" };

const fieldWords = (body: unknown): readonly string[] => {
  const found = fieldErrors.safeParse(body);
  const entries = found.success ? Object.entries(found.data) : [];
  return entries.map(([field, errors]) => `${LABELS[field] ?? field}: ${errors.join(", ")}.`);
};

const UNAUTHORIZED: Readonly<Record<Step, string>> = {
  ask: "This app is not set up as it should be. We are on it.",
  enter: "This code is not right, or no longer valid. Check it, or ask for another one.",
  profile: "Your session has ended. Please log in again.",
};

/** @returns words for a failure at a step. */
export const troubleOf = (failure: Failure, step: Step): Trouble => {
  const final = (...words: string[]): Trouble => ({ words, worthRetrying: false });
  const passing = (...words: string[]): Trouble => ({ words, worthRetrying: true });
  if (failure.kind === "unreachable") return passing("We cannot be reached. Check your connection, then try again.");
  const { status, retryAfterSeconds, body } = failure;
  if (status === 401) return final(UNAUTHORIZED[step]);
  if (status === 403) return final("We are not taking new accounts at the moment.");
  if (status === 422) {
    const words = fieldWords(body);
    return final(...(words.length > 0 ? words : ["Something in the form is not right."]));
  }
  if (status === 429) {
    const wait = retryAfterSeconds === null ? "a while" : `${retryAfterSeconds} s`;
    return passing(`That was a lot of tries. Wait ${wait}, then try again.`);
  }
  if (status >= 500) return passing("Something is wrong on our side. Try again in a moment.");
  return final(`Something unexpected happened (${status}).`);
};
