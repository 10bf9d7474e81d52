/** Users whose phone or email a request may have meant: found by looking up near values, without a scan. */
import { BOUNDS } from "#contract/bounds.ts";
import { frozen } from "#contract/frozen.ts";
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

/** So many are named. */
const MOST = 2;
const DIGITS = "0123456789";
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789._-";
/** The longest username whose neighbours are looked up. */
const LONGEST = 60;

/** Country codes, including unassigned ones. */
const COUNTRIES = frozen(
  Array.from({ length: 1_000 }, (_, code) => String(code)).filter((code) => codeLength(code) === code.length),
);

/** A neighbour, and how it differs. */
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

/** @param phone with its plus sign. */
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

/** So many users are indexed at a look-up, in about a millisecond. */
const AT_ONCE = 1_000;

/**
 * The users of an app by their plain addresses. Each look-up indexes some more of them and reads the rest one by one,
 * which is dearer for many look-ups, but never holds anybody for long.
 */
class PlainAddresses {
  readonly #byAddress = new Map<string, ProfileRecord>();
  /** So many users are indexed, and the last of them. */
  #indexed = 0;
  #last: string | undefined;

  /** @returns the first user with the same plain address. */
  find(app: AppWorld, address: string): ProfileRecord | undefined {
    const { profiles } = app;
    this.#follow(profiles);
    const plain = plainAddress(address);
    const known = this.#byAddress.get(plain);
    if (known === undefined) return readFrom(profiles, this.#indexed, plain);
    const now = app.find("profiles", known.userId);
    if (now?.email && plainAddress(now.email) === plain) return now;
    // That user has gone, or has another address by now: perhaps another has this one.
    const other = readFrom(profiles, 0, plain);
    if (other === undefined) this.#byAddress.delete(plain);
    else this.#byAddress.set(plain, other);
    return other;
  }

  #follow(profiles: readonly ProfileRecord[]): void {
    // Those before can have gone.
    let from = Math.min(this.#indexed, profiles.length);
    while (from > 0 && profiles[from - 1]?.userId !== this.#last) from -= 1;
    const end = Math.min(from + AT_ONCE, profiles.length);
    for (let at = from; at < end; at += 1) {
      const profile = profiles[at];
      const plain = profile?.email ? plainAddress(profile.email) : undefined;
      // The first stays: a later one may be the user who is asked about.
      if (profile !== undefined && plain !== undefined && !this.#byAddress.has(plain))
        this.#byAddress.set(plain, profile);
    }
    this.#indexed = end;
    this.#last = profiles[end - 1]?.userId;
  }
}

/** @returns the first user from this place on with a plain address; most are known by their last characters. */
const readFrom = (profiles: readonly ProfileRecord[], from: number, plain: string): ProfileRecord | undefined => {
  const [first = "", end] = [plain[0], plain.slice(plain.lastIndexOf("@"))];
  for (let at = from; at < profiles.length; at += 1) {
    const profile = profiles[at];
    const email = profile?.email;
    if (!email || (email[0]?.toLowerCase() ?? "") !== first || email.length < plain.length) continue;
    if (email.slice(-end.length).toLowerCase() === end && plainAddress(email) === plain) return profile;
  }
  return undefined;
};

/** @see the file */
export class NearUsers {
  readonly #plain = new WeakMap<AppWorld, PlainAddresses>();

  /**
   * @param sent the username of a new user. @param before the number of the last change before: only users from then.
   * @returns users with nearly the same username, at most two.
   */
  find(app: AppWorld, sent: string, before: number): readonly NearUser[] {
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
      const plain = this.#plain.get(app) ?? new PlainAddresses();
      this.#plain.set(app, plain);
      add(plain.find(app, sent), "by dots, or by what follows a plus sign");
      for (const [near, by] of nearEmail(sent)) add(app.profileByUsername(near), by);
    } else if (sent.startsWith("+")) for (const [near, by] of nearPhone(sent)) add(app.profileByUsername(near), by);
    return [...found.values()];
  }
}
