/**
 * Headers as they came: Node joins or drops those that stand twice, which the guards want to know of.
 */
import type { IncomingMessage } from "node:http";

/** @param name in small letters. @returns the value of each header with this name. */
export const rawHeader = ({ rawHeaders }: IncomingMessage, name: string): string[] => {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i];
    // The length tells nearly all of them apart, at no cost.
    if (given !== undefined && given.length === name.length && given.toLowerCase() === name)
      values.push(rawHeaders[i + 1] ?? "");
  }
  return values;
};
