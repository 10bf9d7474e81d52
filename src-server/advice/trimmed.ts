/** Texts without what stands around them, in time that grows with their length. */

/** @returns the text without any of these characters at its beginning and at its end. */
export const trimmedOf = (text: string, before: string, after: string): string => {
  let [from, to] = [0, text.length];
  while (from < to && before.includes(text[from] ?? "")) from += 1;
  while (to > from && after.includes(text[to - 1] ?? "")) to -= 1;
  return text.slice(from, to);
};

const QUOTES = "\"'`";

/** @returns a text without the quotation marks around it; unchanged if there is no pair of them. */
export const unquoted = (text: string): string => {
  const [inner, first] = [text.trim(), text.trim()[0] ?? ""];
  return inner.length > 1 && QUOTES.includes(first) && inner.endsWith(first) ? inner.slice(1, -1) : text;
};
