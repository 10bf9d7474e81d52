/** Numbers that JSON can write and JavaScript cannot keep. */
import { frozen } from "#contract/frozen.ts";

/** So long a text can have one. */
const SUSPECT = /\d{16}|[eE][+-]?\d{3}/;
/** So many are named. */
const MOST = 3;

const ZERO = frozen(/^-?0*(?:\.0*)?(?:[eE].*)?$/);

/** @returns the numbers of a JSON text, as they are written; none of those in its strings. */
const numbersIn = (json: string): readonly string[] => {
  const found: string[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const from = at;
    if (json[at] === '"') {
      for (at += 1; at < json.length && json[at] !== '"'; at += 1) if (json[at] === "\\") at += 1;
    } else if (/[-\d]/.test(json[at] ?? "")) {
      while (/[-+.\deE]/.test(json[at + 1] ?? "")) at += 1;
      found.push(json.slice(from, at + 1));
    }
  }
  return found;
};

const isRounded = (text: string): boolean => {
  const kept = Number(text);
  if (/^-?\d+$/.test(text))
    return !Number.isFinite(kept) || (!Number.isSafeInteger(kept) && BigInt(text) !== BigInt(kept));
  return !Number.isFinite(kept) || (kept === 0 && !ZERO.test(text));
};

/** @param body JSON, perhaps only its beginning. @returns numbers in it that are kept as others: as sent, and as kept. */
export const roundedNumbers = (body: string): readonly (readonly [sent: string, kept: string])[] => {
  if (!SUSPECT.test(body)) return [];
  const found = numbersIn(body).filter(isRounded);
  return found.slice(0, MOST).map((sent) => [sent.slice(0, 40), JSON.stringify(Number(sent))] as const);
};
