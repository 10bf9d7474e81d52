/** The result of a token check as a sentence, for the command line and the console (CONTRACT 11). */
import type { TokenCheckAnswer } from "./token-check.ts";

const tokens = (count: number): string => (count === 1 ? "1 token" : `${count} tokens`);

/** @returns the result in one sentence. */
export const verdictWords = ({ items, ok, error }: TokenCheckAnswer): string => {
  if (error !== undefined) return `The backend did not respond (${error}). Check that it runs at this URL.`;
  const wrong = items.filter(({ defect }) => defect !== null);
  const accepted = wrong.filter((item) => !item.ok).length;
  if (accepted > 0) return `The backend accepts ${tokens(accepted)} that it must refuse.`;
  if (!ok) return "The backend does not accept the good token, so the check says little about the others.";
  const unclear = wrong.filter(({ verdict, advice }) => verdict === "unclear" && !advice).length;
  if (unclear === 0) return "The backend accepts the good token and refuses the wrong ones.";
  return `The backend accepts no token that it must refuse, but refuses ${tokens(unclear)} without 401 or 403.`;
};
