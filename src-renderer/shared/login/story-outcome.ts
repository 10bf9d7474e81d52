import { many } from "#contract/words/words.ts";
import type { Tone } from "../../ui/tones.ts";
import { outcomeWords } from "../request/query.ts";
import { isWrongCode, type Story, type StoryStep } from "./stories.ts";

/** @returns the outcome of a login, as a word and as a sentence. */
export const outcomeOf = (
  { rows, passcodes }: Story,
  steps: readonly StoryStep[],
): { tone: Tone; word: string; words: string } => {
  const wrong = rows.filter(isWrongCode).length;
  const after = wrong === 0 ? "" : ` after ${many(wrong, "wrong code")}`;
  if (steps.some(({ sessionId }) => sessionId !== undefined))
    return { tone: "ok", word: "Signed in", words: `Signed in${after}` };
  const last = rows.at(-1);
  const delivery = passcodes.at(-1)?.delivery;
  if (last !== undefined && (last.status >= 400 || last.status === 0))
    return { tone: last.fault === null ? "bad" : "warn", word: "Failed", words: outcomeWords(last) };
  if (delivery === "pending") return { tone: "warn", word: "Delayed", words: "Delayed (simulated)" };
  if (delivery === "failed") return { tone: "warn", word: "Failed", words: "Not delivered (simulated)" };
  if (last?.method === "POST" && last.status !== 202) return { tone: "ok", word: "Signed up", words: "A new user" };
  return { tone: "info", word: "Waiting", words: "Code sent, not entered yet" };
};
