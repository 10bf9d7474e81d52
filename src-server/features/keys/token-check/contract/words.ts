/** The result of a token check as a sentence, for the command line and the console. */

import { many } from "#contract/words/words.ts";
import type { TokenCheckAnswer } from "./token-check.ts";

const NEW_KEY =
  "The backend does not accept a token of a new key, so a rotation signs its users out. It must read the JWKS again when a token has an unknown key id, and not only once: check the cache and the cooldown of its library.";

/** @returns the result in one sentence; in more if a new key was refused, with the remedy. */
export const verdictWords = ({ items, ok, error }: TokenCheckAnswer): string => {
  if (error !== undefined) return `The backend did not respond (${error}). Check that it runs at this URL.`;
  const wrong = items.filter(({ defect }) => defect !== null && defect !== "newKey");
  const accepted = wrong.filter((item) => !item.ok).length;
  const newKey = items[0]?.ok === true && items.some((item) => item.defect === "newKey" && !item.ok) ? [NEW_KEY] : [];
  const careless = accepted > 0 ? [`The backend accepts ${many(accepted, "token")} that it must refuse.`] : [];
  if (accepted > 0 || newKey.length > 0) return [...careless, ...newKey].join(" ");
  if (!ok) return "The backend does not accept the valid token, so the rest of the check says little.";
  const unclear = wrong.filter(({ verdict, advice }) => verdict === "unclear" && !advice).length;
  if (unclear === 0) return "The backend accepts the valid token and refuses the invalid ones.";
  return `The backend accepts no token that it must refuse, but refuses ${many(unclear, "token")} without 401 or 403.`;
};
