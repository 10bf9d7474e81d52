/**
 * About how much memory a record takes: good enough for bounds, and cheap beside the write that asks for it.
 */

/** Bytes of an object and its numbers, dates and ids, about as V8 keeps them. */
const OBJECT = 250;

const textSize = (value: unknown): number => {
  if (typeof value === "string") return value.length;
  // Metadata, and the codes that were tried.
  return typeof value === "object" && value !== null ? 2 * JSON.stringify(value).length : 0;
};

/** @param record any record of an app. @returns about how many bytes of memory it takes. */
export const recordSize = (record: object): number => {
  let size = OBJECT;
  for (const value of Object.values(record)) size += textSize(value);
  return size;
};

/** How many records of a list are looked at. */
const SAMPLE = 32;

/** @returns about how many bytes a list of records takes, by a few of them spread over it: the cost is always the same. */
export const listSize = (records: readonly object[]): number => {
  const step = Math.max(1, Math.floor(records.length / SAMPLE));
  let [size, seen] = [0, 0];
  for (let place = 0; place < records.length; place += step) {
    size += recordSize(records[place] ?? {});
    seen += 1;
  }
  return seen === 0 ? 0 : Math.round((size / seen) * records.length);
};
