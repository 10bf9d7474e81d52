/** Several emulators that share nothing, and which of them a job meets: rendezvous hashing, without any coordination. */

/** A range in a URL: `http://stagedoor-{0..9}.stagedoor:4012`. */
const RANGE = /^([^{}]*)\{(\d{1,4})\.\.(\d{1,4})\}([^{}]*)$/;

/** @param given URLs, of which each may have one range. @returns the URLs that are meant, each once. */
export const expandShards = (given: string | readonly string[]): string[] => {
  const texts = typeof given === "string" ? given.split(/[\s,]+/) : given;
  const urls = texts.flatMap((text) => {
    const [, before = "", first = "", last = "", after = ""] = RANGE.exec(text) ?? [];
    if (first === "") return text === "" ? [] : [text];
    return Array.from({ length: Math.max(0, Number(last) - Number(first) + 1) }, (_, i) => [
      `${before}${Number(first) + i}${after}`,
    ]).flat();
  });
  return [...new Set(urls)];
};

/** @returns a 32-bit hash: FNV-1a of the UTF-8 bytes, then the last step of MurmurHash3, since FNV-1a alone mixes ends badly. */
export const hash = (text: string): number => {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

/**
 * @returns the shards in the order in which a job prefers them. Every process that knows the job and the URLs finds the same
 * order, whatever order they are given in. A shard more takes its share of jobs from all others evenly; of one that goes, its
 * own jobs alone move.
 */
export const rankShards = (job: string, urls: readonly string[]): string[] => {
  const scores = new Map(urls.map((url) => [url, hash(`${url} ${job}`)]));
  const scoreOf = (url: string): number => scores.get(url) ?? 0;
  return [...urls].sort((a, b) => scoreOf(b) - scoreOf(a) || (a < b ? -1 : 1));
};
