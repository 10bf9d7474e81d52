/** Works on long lists in slices of a few milliseconds, so that other requests run in between. */
import { setImmediate as pause } from "node:timers/promises";
import { type Steps, workInSlices } from "#contract/steps.ts";

/** @param monotonic milliseconds on a monotonic clock. @returns the result of work in steps. */
export const finishInSlices = <T>(steps: Steps<T>, monotonic: () => number): Promise<T> =>
  workInSlices(steps, pause, monotonic);

/** @param levels whose entries are texts of their own. @returns the text of a value, piece by piece. */
export function* jsonPieces(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || typeof value !== "object" || value === null) {
    yield JSON.stringify(value) ?? "null";
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? "[" : "{";
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined && !isList) continue;
    yield isList ? before : `${before}${JSON.stringify(key)}:`;
    yield* jsonPieces(inner, levels - 1);
    before = ",";
  }
  yield `${before === "," ? "" : before}${isList ? "]" : "}"}`;
}
