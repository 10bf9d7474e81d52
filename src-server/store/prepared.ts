/**
 * A world after many changes, prepared in steps beside the current one, which goes on changing. In the end it catches up
 * with what has changed, unless that contradicts what was decided.
 */
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { COLLECTIONS, type Collection, idOf } from "#contract/service/records.ts";
import type { Change, Decided, PutRecord } from "#domain/decision.ts";
import type { Difference } from "#domain/history/differences.ts";
import { differencesIn } from "#domain/history/history.ts";
import { Loads } from "#domain/history/memory.ts";
import { inSteps, type Steps } from "#domain/steps.ts";
import { copyOf, emptyApp, type StoreDocument } from "./document/document.ts";
import { usernameKey } from "./index/app-index.ts";
import { preflightOf, WorldIndex } from "./index/indexes.ts";

/** It is cheaper to decide again than to catch up with more changes than this. */
const MOST_MEANWHILE = 1_000;

/** Changes are looked at by so many removed records. */
const PIECE = 1_000;

/** @returns the same changes; one that removes many records becomes several. */
function* piecesOf(changes: readonly Change[]): Generator<Change> {
  for (const change of changes)
    if (!("ids" in change) || change.ids.length <= PIECE) yield change;
    else
      for (let from = 0; from < change.ids.length; from += PIECE)
        yield { ...change, ids: change.ids.slice(from, from + PIECE) };
}

/** What the changes touch of an app. */
interface Touched {
  /** Whether it is removed. */
  isRemoved: boolean;
  /** The ids of records that are stored or removed. */
  readonly ids: { readonly [C in Collection]: Set<string> };
  /** The users who are removed, or of whom passcodes, sessions or connections are stored or removed. */
  readonly users: Set<string>;
}

/** @see file */
export class PreparedWorld {
  readonly index: WorldIndex;
  /** The changes with what was there before. */
  readonly differences: Difference[] = [];
  /** What those add to the timeline. */
  readonly loads = new Loads();
  /** The world that the changes were decided on. */
  readonly #before: StoreDocument;
  /** The number after which those of the changes begin. */
  #after: number;
  #changes: readonly Change[] = [];
  readonly #touched = new Map<string, Touched>();
  /** The secrets that the changes store. */
  readonly #secrets = new Set<string>();
  /** What becomes wholly as it was. */
  #restores: Decided<unknown>["restores"];

  /** @param document of the current world; it is copied. */
  constructor(document: StoreDocument) {
    this.#before = copyOf(document);
    this.#after = document.seq;
    const apps = this.#before.apps.map(({ app, clock }) => ({ ...emptyApp(app), clock }));
    this.index = new WorldIndex({ ...this.#before, apps });
  }

  /** Makes the changes. @param restores of their decision. @throws Error if they are inconsistent. */
  *make(changes: readonly Change[], restores: Decided<unknown>["restores"]): Steps<void> {
    this.#changes = changes;
    this.#restores = restores;
    for (const [i, entry] of this.#before.apps.entries()) {
      const app = this.index.apps[i];
      for (const noun of COLLECTIONS) {
        // Safe: the records come from the list of this name.
        const asPut = (record: PutRecord["record"]) => ({ put: noun, appId: entry.app.appId, record }) as PutRecord;
        yield* inSteps<PutRecord["record"]>(entry[noun], (record) => app?.put(asPut(record)));
      }
    }
    yield* inSteps(changes, preflightOf(this.index, changes));
    yield* inSteps(piecesOf(changes), differencesIn(this.index, this.differences));
    yield* inSteps(this.differences, (one) => {
      this.loads.add(one);
      this.#note(one);
    });
    yield* this.index.applySteps(changes, this.#after + 1);
    const flaw = this.index.flaw();
    if (flaw !== undefined) throw new Error(`A rule made a world that does not hold together: ${flaw.message}`);
  }

  /**
   * Makes the changes of the current world since the beginning or the last call, as if they had come first.
   * @returns false if the prepared changes no longer hold.
   */
  catchUp(current: StoreDocument, meanwhile: readonly Change[]): boolean {
    const count = meanwhile.length;
    if (count > MOST_MEANWHILE || meanwhile.some((change) => this.#contradicts(change))) return false;
    const { document } = this.index;
    document.key = current.key;
    document.keys = current.keys;
    document.fixtures = current.fixtures;
    if (count === 0) return true;
    this.#shift(count);
    const { seq } = document;
    this.index.applyAll(meanwhile, seq + 1);
    document.seq = seq;
    return true;
  }

  /** Gives the prepared changes higher numbers. Nobody has seen their records yet, so these can still be changed. */
  #shift(count: number): void {
    for (const change of this.#changes)
      if ("put" in change && change.put !== "clock" && change.record.seq > this.#after)
        (change.record as { seq: number }).seq += count;
    this.#after += count;
    this.index.document.seq += count;
  }

  #note(one: Difference): void {
    const { appId } = one;
    if (appId === null) return;
    const touched = this.#touched.get(appId) ?? {
      isRemoved: false,
      ids: { profiles: new Set(), passcodes: new Set(), sessions: new Set(), connections: new Set() },
      users: new Set(),
    };
    this.#touched.set(appId, touched);
    if (one.noun === "clocks") return;
    if (one.noun === "apps") {
      touched.isRemoved ||= one.after === undefined;
      if (one.after !== undefined) this.#secrets.add(one.after.secret);
      return;
    }
    for (const record of [one.before, one.after])
      if (record !== undefined) {
        touched.ids[one.noun].add(idOf(record));
        if (one.noun !== "profiles" || one.after === undefined) touched.users.add(record.userId);
      }
  }

  /** Rather finds a contradiction than misses one. */
  #contradicts(change: Change): boolean {
    const appId = "put" in change && change.put === "app" ? change.record.appId : change.appId;
    // The global clock.
    if (appId === null) return true;
    if (this.#restores === null || this.#restores === appId) return true;
    const touched = this.#touched.get(appId);
    if ("put" in change && change.put === "app")
      return touched !== undefined || this.#secrets.has(change.record.secret);
    if (touched === undefined) return false;
    const { isRemoved, ids, users } = touched;
    const app = this.index.app(appId);
    if (app === undefined || isRemoved) return true;
    if ("remove" in change) {
      const { remove } = change;
      if (remove === "app") return true;
      return change.ids.some((id) => ids[remove].has(id) || (remove === "profiles" && users.has(id)));
    }
    if (change.put === "clock") return true;
    if (ids[change.put].has(idOf(change.record))) return true;
    if (change.put !== "profiles") return users.has(change.record.userId);
    // They could share more than the username.
    if (ids.profiles.size > 0 && effectiveSettings(app.app.settings).profile.unique === "both") return true;
    const key = usernameKey(app.app, change.record);
    const holder = key === undefined ? undefined : app.profileByUsername(key);
    return holder !== undefined && ids.profiles.has(holder.userId);
  }
}
