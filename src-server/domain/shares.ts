/**
 * The account of what each app of the join token keeps, in bytes, and the rule of fair shares. The store
 * owns it; whoever keeps something of an app registers how much that is.
 */
import { KEPT, KEPT_KINDS, type Kept, type SharedStatus } from "#contract/control/shares.ts";
import type { Problem } from "#contract/service/problems.ts";
import { inMebibytes } from "#contract/words/words.ts";
import type { World } from "./world.ts";

/** What an app keeps of one kind, now; estimated in bytes. Asked at each write of an app over its share: cheap. */
export type Counter = (appId: string) => number;

/** Drops what no one misses as much as the next request. @param bytes that should be free then. */
type Release = (appId: string, bytes: number) => void;

/** The maxima of all apps of the join token together. */
export interface ShareLimits {
  readonly apps: number;
  readonly bytes: number;
  /** What reading one import may take. */
  readonly readBytes: number;
}

const mostOf = (uses: Readonly<Record<Kept, number>>): Kept =>
  KEPT_KINDS.reduce((most, kind) => (uses[kind] > uses[most] ? kind : most), "settings");

/** So many times the memory of all can be kept by apps that are below their share; then the share is smaller. */
const FAR_BEYOND = 1.5;

/** @see the file */
export class Shares {
  readonly #world: Pick<World, "apps" | "app">;
  readonly #limits: ShareLimits | undefined;
  readonly #releases: Release[];
  /** Bytes that were asked for since all was counted, and whether that was far beyond the memory of all. */
  #since = 0;
  #isTight = false;
  readonly #counters = new Map<Kept, Counter[]>();

  /**
   * @param limits undefined: no one can join, and nothing is limited. @param shorten drops the oldest of an app's timeline.
   */
  constructor(world: Pick<World, "apps" | "app">, limits: ShareLimits | undefined, shorten: Release) {
    this.#world = world;
    this.#limits = limits;
    this.#releases = [shorten];
  }

  /** Registers what drops the oldest of an app, until so many bytes are free, before the timeline is shortened. */
  releases(release: Release): void {
    this.#releases.unshift(release);
  }

  /** Registers who counts a kind; several can count the same one. */
  counts(kind: Kept, counter: Counter): void {
    this.#counters.set(kind, [...(this.#counters.get(kind) ?? []), counter]);
  }

  /** @throws Error that names a kind that no one counts. */
  checkWhole(): void {
    const missing = KEPT_KINDS.filter((kind) => !this.#counters.has(kind));
    if (missing.length > 0) throw new Error(`There is no count of what apps keep of: ${missing.join(", ")}`);
  }

  /** @returns what an app keeps, of any app. */
  of(appId: string): Readonly<Record<Kept, number>> {
    return Object.fromEntries(KEPT_KINDS.map((kind) => [kind, this.#count(kind, appId)])) as Record<Kept, number>;
  }

  /** @param more bytes that it would keep in addition. @returns why an app of the join token may not; undefined if it may. */
  refusal(appId: string, more = 0): Problem | undefined {
    if (!this.isLimited(appId) || this.#limits === undefined) return undefined;
    const { apps, bytes } = this.#limits;
    const own = this.#bytesOf(appId) + more;
    this.#since += more;
    if (own <= bytes / apps) return undefined;
    const joined = this.#joined();
    if (own <= bytes / joined.length && !this.#isTight && this.#since < bytes / 100) return undefined;
    const all = joined.reduce((sum, other) => sum + this.#bytesOf(other), more);
    this.#since = 0;
    this.#isTight = all > FAR_BEYOND * bytes;
    // Each app that comes has its share although it was full: in the end only what every app could have.
    const fair = bytes / (this.#isTight ? apps : joined.length);
    if (own <= fair || all <= bytes) return undefined;
    let left = own;
    for (const release of this.#releases) {
      release(appId, all - (own - left) - bytes);
      left = this.#bytesOf(appId) + more;
      if (left <= fair || all - (own - left) <= bytes) return undefined;
    }
    const uses = this.of(appId);
    const most = mostOf(uses);
    const { what, frees } = KEPT[most];
    const share = `more than its share of ${inMebibytes(fair)}, mostly ${what} (${inMebibytes(uses[most])})`;
    const full = `The apps of the join token together keep at most ${inMebibytes(bytes)}, and that is full.`;
    const instruction = `${full} This app keeps ${inMebibytes(left)}, ${share}. ${frees}, or delete the app. Nothing was changed.`;
    return { code: "share_used_up", instruction };
  }

  /**
   * @returns how many bytes an app of the join token can still keep, its timeline and log apart, and how many it may take to
   * read them; undefined: it is not limited.
   */
  roomOf(appId: string): { readonly kept: number; readonly read: number } | undefined {
    if (!this.isLimited(appId) || this.#limits === undefined) return undefined;
    const { bytes, readBytes } = this.#limits;
    const joined = this.#joined();
    const own = this.#bytesOf(appId);
    const all = joined.reduce((sum, other) => sum + this.#bytesOf(other), 0);
    const oldest = this.#count("timeline", appId) + this.#count("log", appId);
    const free = Math.max(bytes / joined.length - own, bytes - all) + oldest;
    return { kept: Math.max(0, free), read: readBytes };
  }

  /** @returns whether what an app keeps is limited: it is of the join token. */
  isLimited(appId: string | null): boolean {
    return this.#limits !== undefined && this.#world.app(appId ?? "")?.app.joined !== undefined;
  }

  /** All that apps of the join token keep; undefined where no one can join. */
  get all(): SharedStatus | undefined {
    if (this.#limits === undefined) return undefined;
    const joined = this.#joined().map((appId) => ({ appId, bytes: this.#bytesOf(appId) }));
    const bytes = joined.reduce((sum, one) => sum + one.bytes, 0);
    const [largest] = joined.sort((a, b) => b.bytes - a.bytes);
    return {
      apps: joined.length,
      mostApps: this.#limits.apps,
      bytes,
      mostBytes: this.#limits.bytes,
      largest: largest === undefined ? null : { ...largest, mostly: KEPT[mostOf(this.of(largest.appId))].what },
    };
  }

  /** Whether one more app can join. */
  get hasRoom(): boolean {
    return this.#limits === undefined || this.#joined().length < this.#limits.apps;
  }

  #joined(): readonly string[] {
    return this.#world.apps.flatMap(({ app }) => (app.joined === undefined ? [] : [app.appId]));
  }

  #bytesOf(appId: string): number {
    let sum = 0;
    for (const kind of KEPT_KINDS) sum += this.#count(kind, appId);
    return sum;
  }

  #count(kind: Kept, appId: string): number {
    let sum = 0;
    for (const counter of this.#counters.get(kind) ?? []) sum += counter(appId);
    return sum;
  }
}
