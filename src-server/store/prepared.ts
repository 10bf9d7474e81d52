/**
 * A world after many changes, prepared in steps beside the current one, which goes on changing. In the end it catches up
 * with what has changed, unless that contradicts what was decided.
 */
import { COLLECTIONS, type ProfileRecord } from "#contract/records.ts";
import type { Change, PutRecord } from "#domain/decision.ts";
import { type Altered, alteredIn } from "#domain/history/timeline.ts";
import { Loads } from "#domain/history/weight.ts";
import { inSteps, type Steps } from "#domain/steps.ts";
import { copyOf, emptyApp, type StoreDocument } from "./document/document.ts";
import { usernameKey } from "./index/app-index.ts";
import { preflightOf, WorldIndex } from "./index/indexes.ts";
import { positionOf } from "./index/record-table.ts";

/** It is cheaper to decide again than to catch up with more changes than this. */
const MOST_MEANWHILE = 1_000;

/** @returns a key for what a change does to an app or to one of its lists. */
const touchOf = (what: "put" | "remove", noun: string, appId: string): string => `${what} ${noun} ${appId}`;

/** @see file */
export class PreparedWorld {
  readonly index: WorldIndex;
  /** The changes with what was there before. */
  readonly altered: Altered[] = [];
  /** What those add to the timeline. */
  readonly loads = new Loads();
  /** The world that the changes were decided on. */
  readonly #before: StoreDocument;
  /** The number after which those of the changes begin. */
  #after: number;
  #changes: readonly Change[] = [];
  /** The apps that the changes store or remove, their secrets, and the lists that they touch. */
  readonly #apps = new Set<string>();
  readonly #secrets = new Set<string>();
  readonly #touches = new Set<string>();
  /** How many changes of others can still come without another number for its own. */
  #room = 0;
  /** The profiles of changes that were caught up with. */
  readonly #followed = new WeakSet<ProfileRecord>();

  /** @param document of the current world; it is copied. */
  constructor(document: StoreDocument) {
    this.#before = copyOf(document);
    this.#after = document.seq;
    const apps = this.#before.apps.map(({ app, clock }) => ({ ...emptyApp(app), clock }));
    this.index = new WorldIndex({ ...this.#before, apps });
  }

  /** Makes the changes. @throws Error if they are inconsistent. */
  *make(changes: readonly Change[]): Steps<void> {
    this.#changes = changes;
    for (const [i, entry] of this.#before.apps.entries()) {
      const app = this.index.apps[i];
      for (const noun of COLLECTIONS) {
        // Safe: the records come from the list of this name.
        const asPut = (record: PutRecord["record"]) => ({ put: noun, appId: entry.app.appId, record }) as PutRecord;
        yield* inSteps<PutRecord["record"]>(entry[noun], (record) => app?.put(asPut(record)));
      }
    }
    yield* inSteps(changes, preflightOf(this.index, changes));
    yield* inSteps(changes, alteredIn(this.index, this.altered));
    yield* inSteps(this.altered, (one) => this.loads.add(one));
    yield* inSteps(changes, (change) => this.#note(change));
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
    const isInRoom = this.#room > 0;
    if (isInRoom && count > this.#room) return false;
    if (!isInRoom) this.#shift(count);
    const { seq } = document;
    this.index.applyAll(meanwhile, seq + 1);
    for (const change of meanwhile) if ("put" in change && change.put === "profiles") this.#followed.add(change.record);
    if (isInRoom) this.#room -= count;
    else document.seq = seq;
    return true;
  }

  /**
   * Leaves room for changes of others before its own, so that the text of its own stays as it is. They then count as
   * the last ones of the document, because they are in a journal after it.
   */
  reserve(): void {
    this.#room = MOST_MEANWHILE;
    this.#shift(MOST_MEANWHILE);
  }

  /** Gives the prepared changes higher numbers. Nobody has seen their records yet, so these can still be changed. */
  #shift(count: number): void {
    for (const change of this.#changes)
      if ("put" in change && change.put !== "clock" && change.record.seq > this.#after)
        (change.record as { seq: number }).seq += count;
    this.#after += count;
    this.index.document.seq += count;
  }

  #note(change: Change): void {
    if ("remove" in change) {
      if (change.remove === "app") this.#apps.add(change.appId);
      this.#touches.add(touchOf("remove", change.remove, change.appId));
    } else if (change.put === "app") {
      this.#apps.add(change.record.appId);
      this.#secrets.add(change.record.secret);
    } else if (change.put === "clock") this.#apps.add(change.appId ?? "");
    else this.#touches.add(touchOf("put", change.put, change.appId));
  }

  /** Rather finds a contradiction than misses one. */
  #contradicts(change: Change): boolean {
    if ("put" in change && change.put === "app")
      return this.#apps.has(change.record.appId) || this.#secrets.has(change.record.secret);
    const { appId } = change;
    if (appId === null) return true;
    if (!this.#apps.has(appId)) return false;
    const app = this.index.app(appId);
    const touches = (what: "put" | "remove", list: string): boolean => this.#touches.has(touchOf(what, list, appId));
    if (app === undefined || touches("remove", "app") || touches("remove", "profiles")) return true;
    if ("remove" in change) {
      if (change.remove === "app") return true;
      if (change.remove !== "profiles") return touches("put", change.remove) || touches("remove", change.remove);
      return change.ids.some((id) => this.#isMade(appId, app.find("profiles", id)));
    }
    if (change.put === "clock") return true;
    if (change.put !== "profiles") return touches("put", change.put) || touches("remove", change.put);
    const key = usernameKey(app.app, change.record);
    const holder = key === undefined ? undefined : app.profileByUsername(key);
    return this.#isMade(appId, holder) || this.#isMade(appId, app.find("profiles", change.record.userId));
  }

  /** @returns whether the prepared changes store this profile. */
  #isMade(appId: string, profile: ProfileRecord | undefined): boolean {
    if (profile === undefined || this.#followed.has(profile)) return false;
    const before = this.#before.apps.find(({ app }) => app.appId === appId)?.profiles ?? [];
    return before[positionOf(before, profile.seq)] !== profile;
  }
}
