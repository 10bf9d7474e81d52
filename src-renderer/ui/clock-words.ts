const time = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});

/** @returns the local time of day of an instant, such as `14:02:11`. */
export const clockWords = (instant: string): string => time.format(new Date(instant));
