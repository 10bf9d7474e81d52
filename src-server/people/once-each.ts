/** Users that are in a file more than once. */
import type { ReadAs } from "#contract/control/fixture-source.ts";
import type { FixtureProfile } from "#contract/control/state.ts";
import { foldUsername, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import type { UsernameField } from "#contract/service/strategies.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { many } from "#contract/words/words.ts";
import type { FaultList } from "./faults.ts";

/** In a reason: becomes the line of that row. */
export const EARLIER = "an earlier row";

/** @returns the keys whose values differ. */
export const differingKeys = (a: JsonObject, b: JsonObject): readonly string[] =>
  Object.keys({ ...a, ...b }).filter((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]));

/** @returns the fields in which two rows about one user differ, such as `name` and `metadata.plan`. */
const differing = (a: FixtureProfile, b: FixtureProfile): readonly string[] => {
  const { metadata: one, ...fields } = a;
  const { metadata: two, ...others } = b;
  const inMetadata = differingKeys(one ?? {}, two ?? {}).map((key) => `metadata.${key}`);
  return [...differingKeys(fields as JsonObject, others as JsonObject), ...inMetadata];
};

const MOST_NAMED = 4;
const named = (fields: readonly string[]): string => {
  const more = fields.length - MOST_NAMED;
  return more > 0 ? `${fields.slice(0, MOST_NAMED).join(", ")} and ${more} more` : fields.join(", ");
};

/** What is known of the rows: the field by which users sign in, the choice, and where errors go. */
interface Context {
  readonly field: UsernameField;
  readonly duplicates: ReadAs["duplicates"] | undefined;
  readonly faults: FaultList;
}

interface OnceEach {
  readonly profiles: readonly FixtureProfile[];
  /** The line of each. */
  readonly at: readonly number[];
  readonly notices: readonly string[];
  /** Rows that differ from an earlier one about the same user, and are refused. */
  readonly contradictions: number;
}

const keysFor = (profile: FixtureProfile, field: UsernameField): readonly string[] => {
  const keys: string[] = [];
  for (const key of [field, "userId"] as const) {
    const value: JsonValue | undefined = profile[key];
    if (typeof value === "string") keys.push(`${key} ${foldUsername(value)}`);
  }
  return keys;
};

const placeIn = (places: ReadonlyMap<string, number>, keys: readonly string[]): number | undefined => {
  for (const key of keys) {
    const place = places.get(key);
    if (place !== undefined) return place;
  }
  return undefined;
};

/** @param at the line of each profile. @returns the users, of whom rows that say the same are one. */
export function* onceEach(
  all: readonly FixtureProfile[],
  at: readonly number[],
  { field, duplicates = "refuse", faults }: Context,
): Steps<OnceEach> {
  const places = new Map<string, number>();
  const profiles: FixtureProfile[] = [];
  const lines: number[] = [];
  let same = 0;
  let leftOut = 0;
  let contradictions = 0;
  const put = (place: number, profile: FixtureProfile, line: number, keys: readonly string[]): void => {
    profiles[place] = profile;
    lines[place] = line;
    for (const key of keys) places.set(key, place);
  };
  yield* inSteps(all, (profile, i) => {
    const line = at[i] ?? 1;
    const keys = keysFor(profile, field);
    const place = placeIn(places, keys) ?? profiles.length;
    const before = profiles[place];
    const differs = before === undefined ? [] : differing(before, profile);
    if (before === undefined) put(place, profile, line, keys);
    else if (differs.length === 0) same += 1;
    else if (duplicates === "refuse") {
      contradictions += 1;
      const reason = `is already in ${EARLIER}, with another ${named(differs)}`;
      const by = profile[field] == null ? "userId" : field;
      faults.add(line, by, profile[field] ?? profile.userId ?? null, reason, lines[place]);
    } else {
      leftOut += 1;
      if (duplicates === "last") put(place, profile, line, keys);
    }
  });
  return {
    profiles,
    at: lines,
    contradictions,
    notices: [
      ...(same === 0
        ? []
        : [`${many(same, "duplicate row")} (same user, same values) ${same === 1 ? "was" : "were"} left out.`]),
      ...(leftOut === 0
        ? []
        : [`${many(leftOut, "row")} left out: of rows that differ about one user, the ${duplicates} is taken.`]),
    ],
  };
}
