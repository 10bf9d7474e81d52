/** A login as a film: what was there right after each of its steps, from the timeline. */
import type { Passcode, Profile, Session, TimelineItem } from "#client/index.ts";
import { OBJECTS, TEXTS } from "#contract/service/attributes.ts";
import { isObject } from "#contract/service/wire-body.ts";
import { type Story, type StoryStep, stepsOf } from "./stories.ts";

/** What a user has at a moment. */
export interface UserState {
  readonly profile: Profile | undefined;
  /** The newest one. */
  readonly passcode: Passcode | undefined;
  /** Oldest first. */
  readonly sessions: readonly Session[];
}

/** The moment right before a step of a user's login. */
export interface Cut {
  readonly appId: string;
  readonly userId: string;
  readonly step: StoryStep;
  /** What the user had then. */
  readonly before: UserState;
  /** The earliest moment that is known. */
  readonly oldestSeq: number;
  /** The newest of the user's timeline. */
  readonly newest: TimelineItem | undefined;
}

type Resource = TimelineItem["changes"][number]["resource"];
type Records = ReadonlyMap<string, readonly [resource: Resource, record: unknown]>;

const isProfile = (value: unknown): value is Profile => isObject(value) && "phone" in value;
/** @returns whether a record of the timeline is a passcode. */
export const isPasscode = (value: unknown): value is Passcode => isObject(value) && "tried" in value;
const isSession = (value: unknown): value is Session => isObject(value) && "revokedAt" in value;

const stateOf = (records: Records): UserState => {
  const of = <T>(resource: Resource, is: (value: unknown) => value is T): T[] =>
    [...records.values()].flatMap(([one, record]) => (one === resource && is(record) ? [record] : []));
  const bySeq = (a: { readonly seq: number }, b: { readonly seq: number }): number => a.seq - b.seq;
  return {
    profile: of("profile", isProfile)[0],
    passcode: of("passcode", isPasscode).sort(bySeq).at(-1),
    sessions: of("session", isSession).sort(bySeq),
  };
};

/** The records of a user as they are now: those that the timeline never changed were always so. */
export interface LiveRecords {
  readonly profile: Profile | null | undefined;
  readonly passcodes: readonly Passcode[];
  readonly sessions: readonly Session[];
}

/** @param items the user's timeline, newest first. @returns what the user had right after the change `seq`. */
export const stateAfter = (seq: number, items: readonly TimelineItem[], now: LiveRecords): UserState => {
  const records = new Map<string, readonly [Resource, unknown]>();
  if (now.profile) records.set(now.profile.userId, ["profile", now.profile]);
  for (const one of now.passcodes) records.set(one.id, ["passcode", one]);
  for (const one of now.sessions) records.set(one.id, ["session", one]);
  const touched = new Set<string>();
  for (const item of items)
    for (const { resource, id, before, after } of item.changes.toReversed()) {
      if (item.seq > seq) records.set(id, [resource, before]);
      else if (!touched.has(id)) records.set(id, [resource, after]);
      touched.add(id);
    }
  return stateOf(records);
};

const isRewind = ({ what }: TimelineItem): boolean => what.startsWith("Rewound");

/** @returns whether a change began another login. */
const beginsLogin = (item: TimelineItem): boolean =>
  !isRewind(item) &&
  item.changes.some(({ resource, before }) => before === null && (resource === "passcode" || resource === "session"));

/** @returns the user's changes during a login that none of its requests made, oldest first. @param own newest first. */
const changesBeside = (items: readonly TimelineItem[], own: readonly TimelineItem[]): TimelineItem[] => {
  const first = own.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  const beside = items.filter((item) => item.seq > first && !own.includes(item)).reverse();
  const end = beside.findIndex(beginsLogin);
  return end < 0 ? beside : beside.slice(0, end);
};

const stepOfChange = (item: TimelineItem): StoryStep => {
  const { seq, at, what, requestId } = item;
  const title = isRewind(item) ? "Rewound" : what;
  return { key: `change ${seq}`, at, title, tone: "info", result: "", times: 1, requestId, item };
};

/** @param items the user's timeline, newest first. @returns the steps of a login with the other changes between them, oldest first. */
export const filmSteps = (story: Story, items: readonly TimelineItem[]): StoryStep[] =>
  stepsOf(story, items, (own) => changesBeside(items, own).map(stepOfChange));

/**
 * @param isWhole whether `items` begin with the user. @returns the number of the newest change at each step, by key;
 * none where the state is unknown.
 */
export const seqsOf = (steps: readonly StoryStep[], items: readonly TimelineItem[], isWhole: boolean) => {
  const seqs = new Map<string, number>();
  let next = Number.POSITIVE_INFINITY;
  for (const { key, row, item } of steps.toReversed()) {
    // A request that changed nothing: the newest change before it.
    const last = row && items.find(({ seq, at }) => seq < next && at <= row.at);
    const seq = item?.seq ?? last?.seq ?? (row && isWhole ? 0 : undefined);
    if (seq === undefined) continue;
    seqs.set(key, seq);
    next = item?.seq ?? seq + 1;
  }
  return seqs;
};

/** The fields of a profile that a film shows, in this order. */
const FIELDS = [...TEXTS, "testPasscode", "scenario", ...OBJECTS] as const;

/** @returns the fields of a profile at a step, as text, each with its value before the step if that was another. */
export const profileLines = (profile: Profile, item: TimelineItem | undefined) => {
  const before = item?.changes.find(({ resource }) => resource === "profile")?.before;
  const isChanged = item?.changes.some(({ resource }) => resource === "profile") ?? false;
  const had = new Map(Object.entries(isObject(before) ? before : {}));
  const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));
  const has = new Map(Object.entries(profile));
  return FIELDS.flatMap((field) => {
    const [is, was] = [textOf(has.get(field)), textOf(had.get(field))];
    const changed = isChanged && is !== was;
    return is === "null" && !changed ? [] : [{ field, is, was: changed ? was : undefined }];
  });
};
