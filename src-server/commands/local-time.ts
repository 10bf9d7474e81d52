/** Times of the terminal: those of this machine's zone, as in the console on the same machine. */

const two = (n: number): string => String(n).padStart(2, "0");

/** @returns the time of day in this machine's zone, such as `14:02:11`. */
export const timeOfDay = (at: Date): string => [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");

/** @returns whose times these are, in one sentence. */
export const zoneWords = (): string => `Times are ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
