/**
 * What has changed since a snapshot, as the control API shows it: made in slices, its JSON too, so that others are answered
 * meanwhile.
 */
import type { AppRecord, ClockRecord } from "#contract/records.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import type { SnapshotDiff } from "#contract/snapshots.ts";
import { connectionItem } from "#domain/connections.ts";
import type { AnyDifference, ClockDifference } from "#domain/differences.ts";
import type { Env } from "#domain/env.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import { profileItem } from "#domain/profiles.ts";
import { sameRecord } from "#domain/same-record.ts";
import { sessionItem } from "#domain/sessions.ts";
import { forEachInSlices } from "./slices.ts";

/** The lists of one kind of change; entries are JSON text already. */
type Lists = { readonly [K in keyof SnapshotDiff["added"]]: string[] };
type Noun = keyof Lists;
type Changed = SnapshotDiff["changed"];

const emptyLists = (): Lists => ({ apps: [], profiles: [], passcodes: [], sessions: [], connections: [] });

const appShown = ({ appId, name, secret, strategy, settings, createdAt }: AppRecord): Changed["apps"][0]["before"] => ({
  appId,
  name,
  secret,
  strategy,
  settings,
  createdAt,
});

const clockShown = (clock: ClockRecord | null): Changed["clocks"][0]["before"] =>
  clock === null
    ? null
    : {
        offsetSeconds: clock.offsetMs / 1000,
        frozenAt: clock.frozenAtMs === null ? null : isoInstant(epochMs(clock.frozenAtMs)),
      };

/** What of each list is shown. */
export interface DiffWindow {
  /** From 1. */
  readonly page: number;
  /** Most entries of each list. */
  readonly limit: number;
}

/** Collects differences; what is outside the window is counted alone. */
class DiffText {
  readonly #counts: SnapshotDiff["counts"] = { added: 0, removed: 0, changed: 0 };
  readonly #added = emptyLists();
  readonly #removed = emptyLists();
  readonly #changed = { ...emptyLists(), clocks: [] as string[] };
  /** How many each list has, shown or not. */
  readonly #found = new Map<string[], number>();
  readonly #env: Pick<Env, "now">;
  readonly #window: DiffWindow;

  constructor(window: DiffWindow, env: Pick<Env, "now">) {
    this.#window = window;
    this.#env = env;
  }

  add(one: AnyDifference): void {
    const { now } = this.#env;
    switch (one.noun) {
      case "apps":
        this.#record("apps", one.before, one.after, appShown);
        break;
      case "profiles":
        this.#record("profiles", one.before, one.after, (record) => profileItem(one.appId, record));
        break;
      case "passcodes":
        this.#record("passcodes", one.before, one.after, (record) => passcodeItem(one.appId, record, now(one.appId)));
        break;
      case "sessions":
        this.#record("sessions", one.before, one.after, (record) => sessionItem(one.appId, record, now(one.appId)));
        break;
      case "connections":
        this.#record("connections", one.before, one.after, (record) => connectionItem(one.appId, record));
        break;
      case "clocks":
        this.#clock(one);
        break;
    }
  }

  /** @returns the text of a SnapshotDiff, bit by bit. */
  *text(): Generator<string> {
    yield `{"counts":${JSON.stringify(this.#counts)}`;
    for (const [name, lists] of Object.entries({
      added: this.#added,
      removed: this.#removed,
      changed: this.#changed,
    })) {
      let before = `,"${name}":{`;
      for (const [noun, texts] of Object.entries(lists)) {
        yield `${before}"${noun}":[`;
        for (const [place, text] of texts.entries()) yield place === 0 ? text : `,${text}`;
        before = "],";
      }
      yield "]}";
    }
    yield "}";
  }

  #record<R extends object, I>(noun: Noun, before: R | undefined, after: R | undefined, item: (record: R) => I): void {
    if (before === undefined) {
      if (after !== undefined) this.#put("added", this.#added[noun], () => item(after));
    } else if (after === undefined) this.#put("removed", this.#removed[noun], () => item(before));
    else if (!sameRecord(before, after, "seq", "steps"))
      this.#put("changed", this.#changed[noun], () => ({ before: item(before), after: item(after) }));
  }

  #clock({ appId, before, after }: ClockDifference): void {
    if (before === after || (before !== null && after !== null && sameRecord(before, after))) return;
    this.#put("changed", this.#changed.clocks, () => ({
      appId,
      before: clockShown(before),
      after: clockShown(after),
    }));
  }

  #put(kind: keyof SnapshotDiff["counts"], list: string[], item: () => unknown): void {
    this.#counts[kind]++;
    const place = this.#found.get(list) ?? 0;
    this.#found.set(list, place + 1);
    const { page, limit } = this.#window;
    if (place >= (page - 1) * limit && place < page * limit) list.push(JSON.stringify(item()));
  }
}

/** Bytes of a piece of the answer. */
const PIECE_BYTES = 64 * 1024;

/**
 * @param found as the domain finds it. @param monotonic as of Deps.
 * @returns the JSON of a SnapshotDiff, in pieces. @throws what reading the snapshot throws.
 */
export const showDiff = async (
  found: AsyncIterable<Iterable<AnyDifference>>,
  window: DiffWindow,
  env: Pick<Env, "now">,
  monotonic: () => number,
): Promise<readonly Buffer[]> => {
  const diff = new DiffText(window, env);
  await forEachInSlices(found, monotonic, (one) => diff.add(one));
  const pieces: Buffer[] = [];
  let piece = "";
  const cut = (): void => {
    pieces.push(Buffer.from(piece, "utf8"));
    piece = "";
  };
  await forEachInSlices([diff.text()], monotonic, (text) => {
    piece += text;
    if (piece.length >= PIECE_BYTES) cut();
  });
  cut();
  return pieces;
};
