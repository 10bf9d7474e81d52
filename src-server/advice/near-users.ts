/** Users whose phone or email a request may have meant: found by looking up near values, without a scan. */
import { BOUNDS } from "#contract/bounds.ts";
import type { ProfileRecord } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { codeLength } from "#contract/words/phone-words.ts";
import type { AppWorld } from "#domain/world.ts";

/** A user who is near, and how the usernames differ. */
export interface NearUser {
  readonly profile: ProfileRecord;
  readonly username: string;
  readonly by: string;
}

const MOST = 2;
const DIGITS = "0123456789";
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789._-";
const LONGEST = 60;

/** Country codes, including unassigned ones. */
const COUNTRIES = Array.from({ length: 1_000 }, (_, code) => String(code)).filter(
  (code) => codeLength(code) === code.length,
);

type Neighbour = readonly [username: string, by: string];

/** One character more, less or other. @param from the place where the first may differ. */
function* oneCharacter(text: string, alphabet: string, from: number): Generator<Neighbour> {
  const by = "by one character";
  for (let at = from; at <= text.length; at += 1) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    if (after !== "") yield [before + after.slice(1), by];
    for (const letter of alphabet) {
      yield [before + letter + after, by];
      if (after !== "" && !after.startsWith(letter)) yield [before + letter + after.slice(1), by];
    }
  }
}

/** Two neighbours swapped. @param from the first place that may be swapped. */
function* swapped(text: string, from: number): Generator<Neighbour> {
  for (let at = from; at + 1 < text.length; at += 1) {
    const [first = "", second = ""] = text.slice(at, at + 2);
    if (first !== second)
      yield [
        text.slice(0, at) + second + first + text.slice(at + 2),
        "by two neighbouring characters, which are swapped",
      ];
  }
}

function* nearPhone(phone: string): Generator<Neighbour> {
  const digits = phone.slice(1);
  const country = digits.slice(0, codeLength(digits));
  const rest = digits.slice(country.length);
  const zero = "by a zero after the country code, which is not dialled from abroad";
  yield [`+${country}${rest.startsWith("0") ? rest.slice(1) : `0${rest}`}`, zero];
  if (rest.startsWith(country)) yield [`+${rest}`, "by the country code, which is repeated"];
  yield [`+${country}${digits}`, "by the country code, which the user’s number has twice"];
  yield [`+${rest}`, "by the country code"];
  for (const code of COUNTRIES) yield [`+${code}${digits}`, "by the country code, which is missing"];
  yield* swapped(phone, 1);
  yield* oneCharacter(phone, DIGITS, 1);
}

function* nearEmail(address: string): Generator<Neighbour> {
  const at = address.lastIndexOf("@");
  yield* swapped(address.toLowerCase(), 0);
  yield* oneCharacter(address.toLowerCase(), LETTERS, 0);
  if (at > 0) yield [address.slice(0, at).replace(/\+.*$/, "") + address.slice(at), "by what follows the plus sign"];
}

/** @returns an address without what many providers ignore: dots, what follows a plus sign, and case. */
const plainAddress = (address: string): string => {
  const at = address.lastIndexOf("@");
  const plus = address.indexOf("+");
  const local = address.slice(0, plus < 0 || plus > at ? at : plus);
  // Nearly all users of an app are read at the first look-up.
  return ((local.includes(".") ? local.replaceAll(".", "") : local) + address.slice(at)).toLowerCase();
};

/** @returns the first user with the same plain address; most are ruled out by their first and last characters. */
const alikeIn = (profiles: readonly ProfileRecord[], address: string): ProfileRecord | undefined => {
  const plain = plainAddress(address);
  const [first = "", end] = [plain[0], plain.slice(plain.lastIndexOf("@"))];
  return profiles.find(({ email }) => {
    if (!email || email[0]?.toLowerCase() !== first || email.length < plain.length) return false;
    return email.slice(-end.length).toLowerCase() === end && plainAddress(email) === plain;
  });
};

/** @param before only users from before this change. @returns at most two users with nearly the same username. */
export const nearUsers = (app: AppWorld, sent: string, before: number): readonly NearUser[] => {
  if (sent.length > LONGEST) return [];
  const field = usernameField(app.app);
  const found = new Map<string, NearUser>();
  const add = (profile: ProfileRecord | undefined, by: string): void => {
    const username = profile?.[field];
    if (profile === undefined || profile.seq > before || !username || username === sent) return;
    if (username.length > BOUNDS.emailLength.most) return;
    if (found.size < MOST && !found.has(profile.userId)) found.set(profile.userId, { profile, username, by });
  };
  if (sent.includes("@")) {
    add(alikeIn(app.profiles, sent), "by dots, or by what follows a plus sign");
    for (const [near, by] of nearEmail(sent)) add(app.profileByUsername(near), by);
  } else if (sent.startsWith("+")) for (const [near, by] of nearPhone(sent)) add(app.profileByUsername(near), by);
  return [...found.values()];
};
