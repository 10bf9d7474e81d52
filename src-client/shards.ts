/** Selects one of several independent emulators for a job by rendezvous hashing, without coordination. */

/** A range in a URL: `http://stagedoor-{0..9}.stagedoor:4012`. */
const RANGE = /^([^{}]*)\{(\d{1,4})\.\.(\d{1,4})\}([^{}]*)$/;

/** @param given URLs, each with at most one range. @returns the distinct URLs with ranges expanded. */
export const expandShards = (given: string | readonly string[]): string[] => {
  const texts = typeof given === "string" ? given.split(/[\s,]+/) : given;
  const urls = texts.flatMap((text) => {
    const [, before = "", first = "", last = "", after = ""] = RANGE.exec(text) ?? [];
    if (first === "") return text === "" ? [] : [text];
    const length = Math.max(0, Number(last) - Number(first) + 1);
    return Array.from({ length }, (_, i) => `${before}${Number(first) + i}${after}`);
  });
  return [...new Set(urls)];
};

/** @returns a 32-bit hash: FNV-1a of the UTF-8 bytes and the MurmurHash3 finaliser, for the trailing bytes. */
export const hash = (text: string): number => {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

/**
 * @returns the shards in a job's order of preference, whatever the order of the URLs. An added shard takes jobs evenly
 * from all others; a removed one only moves its own jobs.
 */
export const rankShards = (job: string, urls: readonly string[]): string[] => {
  const scores = new Map(urls.map((url) => [url, hash(`${url} ${job}`)]));
  const scoreOf = (url: string): number => scores.get(url) ?? 0;
  return [...urls].sort((a, b) => scoreOf(b) - scoreOf(a) || (a < b ? -1 : 1));
};
