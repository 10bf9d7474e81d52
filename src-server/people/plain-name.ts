/** Names as they are compared. */

/** @returns a name in lower case without punctuation and accents. */
export const plainName = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{Nd}]/gu, "");
