/** Settings and fixed codes that exclude each other: with them no one could sign in, or no token be verified. */
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { AppRecord, ProfileRecord } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import type { FieldErrors } from "#contract/validation.ts";
import { counted } from "#contract/words/words.ts";

/** This many users are named. */
const MOST_NAMED = 5;

type Settled = Pick<AppRecord, "settings">;

const passcodeOf = ({ settings }: Settled) => effectiveSettings(settings).passcode;

/** @returns why a user's fixed code cannot be entered in the app; undefined: it can. */
export const testPasscodeError = (app: Settled, testPasscode: string | null | undefined): string | undefined => {
  const { length } = passcodeOf(app);
  return testPasscode == null || testPasscode.length === length
    ? undefined
    : `has ${testPasscode.length} digits, but passcodes of this app have ${length} (passcode.length)`;
};

/** @returns whom a change of the length would lock out, as an error of that setting; undefined: no one. */
export const lockedOut = (
  before: Settled | undefined,
  app: Pick<AppRecord, "settings" | "strategy">,
  profiles: readonly ProfileRecord[],
): string | undefined => {
  if (before === undefined || passcodeOf(before).length === passcodeOf(app).length) return undefined;
  const locked = profiles.filter((profile) => testPasscodeError(app, profile.testPasscode) !== undefined);
  if (locked.length === 0) return undefined;
  const field = usernameField(app);
  const names = locked.slice(0, MOST_NAMED).map((one) => `${one[field] ?? one.name ?? one.userId}`);
  const more = locked.length - names.length;
  return `would lock out ${names.join(", ")}${more > 0 ? ` and ${counted(more)} more` : ""}: their testPasscode has another length`;
};

/** @param before the app as it is: what it has is not refused again. @returns errors by path. */
export const settingClashes = (app: Settled, before: Settled | undefined): FieldErrors => {
  const errors: FieldErrors = {};
  const { fixed, length } = passcodeOf(app);
  const had = before === undefined ? undefined : passcodeOf(before);
  if (fixed !== null && fixed.length !== length && (fixed !== had?.fixed || length !== had.length))
    errors["settings.passcode.fixed"] = [`has ${fixed.length} digits, but passcode.length is ${length}`];
  const { issuer } = effectiveSettings(app.settings).token;
  const isNew = before === undefined || effectiveSettings(before.settings).token.issuer !== issuer;
  // Discovery names URLs without one, so verifiers would find another issuer than in the token, or none.
  if (issuer?.endsWith("/") === true && isNew)
    errors["settings.token.issuer"] = ["must not end with a slash, because no discovery document has this issuer"];
  return errors;
};
