/** Times in a fixture: exact, a date, or relative to the import. */
import { z } from "zod";
import { type EpochMs, epochMs, type IsoInstant, isoInstant, ruled } from "../scalars.ts";

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const RELATIVE = /^-(\d{1,9})([smhdw])$/;

const FORMS: readonly RegExp[] = [z.regexes.datetime({ offset: true }), z.regexes.date, RELATIVE];
/** The same for editors, which only warn. */
const PATTERN = /^(?:-\d{1,9}[smhdw]|\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)$/;
const WRONG =
  "must be an instant such as 2026-01-31T12:00:00.000Z, a date such as 2026-01-31, or relative to the start such as -30d (s, m, h, d or w)";

/** A fixture time, as written. No union, which would cost more than all else of a profile that has no times. */
export const fixtureTime = ruled(z.string(WRONG), (text) =>
  FORMS.some((form) => form.test(text)) ? undefined : WRONG,
).meta({
  description:
    "An instant of RFC 3339, a date (midnight UTC), or a time before the start: `-30d`, `-90m`; units `s`, `m`, `h`, `d`, `w`.",
  pattern: PATTERN.source,
});

/** @param text accepted by `fixtureTime`; relative times count from `now`. @returns undefined if it is before 1970. */
export const timeInFixture = (text: string, now: EpochMs): IsoInstant | undefined => {
  const [, count, unit = ""] = RELATIVE.exec(text) ?? [];
  const ms = count === undefined ? Date.parse(text) : now - Number(count) * (UNIT_MS[unit] ?? 0);
  return ms < 0 ? undefined : isoInstant(epochMs(ms));
};
