/**
 * `start --watch`: reloads fixture files when they are saved. Changes are merged into the data; an
 * incomplete or invalid file changes nothing.
 */
import { stat } from "node:fs/promises";
import type { FixtureSource } from "#contract/control/fixture-source.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { FieldErrors } from "#contract/validation.ts";
import { many } from "#contract/words/words.ts";
import { parseSteps } from "#domain/import/parse-state.ts";
import { importSteps } from "#domain/import/state-import.ts";
import type { Store } from "#domain/store.ts";
import type { Env } from "#domain/world.ts";
import { cutWords } from "#people/fitted.ts";
import { inSlices } from "#store/slices.ts";
import { changedEntries } from "../fixtures/changed-entries.ts";
import { type ReadFixtures, readFixtures } from "../fixtures/read-fixtures.ts";

/** Polling interval in milliseconds; a file must be unchanged for two polls before it is read. */
const EVERY_MS = 200;
/** Maximum number of lines printed per reload; the rest is only counted. */
const MOST_LINES = 20;

/** @returns a fingerprint of all files that changes when one of them does. */
const stampOf = async (files: readonly string[]): Promise<string> => {
  const stamps = files.map(async (file) => {
    const found = await stat(file).catch(() => undefined);
    return [file, found?.size, found?.mtimeMs, found?.ctimeMs, found?.ino].join(" ");
  });
  return (await Promise.all(stamps)).join("\n");
};

/** Dependencies of a reload. `maySet`: not a well-known secret while other machines can reach admin. */
export interface WatchHost {
  readonly store: Pick<Store, "world" | "transactInSteps">;
  /** In real time. */
  readonly env: Env;
  readonly log: (line: string) => void;
  readonly maySet: (secret: string) => boolean;
}

/** Watches the fixture files of a start. */
export class FixtureWatch {
  readonly #read: () => Promise<ReadFixtures>;
  /** The given files and those that they extend. */
  #files: readonly string[];
  /** The world as last loaded. */
  #world: JsonObject;
  #loaded: string;
  #stopped = false;

  private constructor(again: () => Promise<ReadFixtures>, loaded: string, read: ReadFixtures) {
    this.#read = again;
    this.#loaded = loaded;
    this.#files = read.files;
    this.#world = read.world;
  }

  /** Takes the initial fingerprint; call it before loading the files, so that no change is missed. */
  static async begin(named: readonly FixtureSource[]): Promise<FixtureWatch> {
    const read = () => readFixtures(named);
    const before = await stampOf((await read()).files);
    return new FixtureWatch(read, before, await read());
  }

  /** Watches until `stop`. */
  run(host: WatchHost): void {
    const look = async (seen: string): Promise<void> => {
      if (this.#stopped) return;
      const now = await stampOf(this.#files);
      if (now !== this.#loaded && now === seen) await this.#reload(now, host);
      setTimeout(() => void look(now), EVERY_MS).unref();
    };
    void look(this.#loaded);
  }

  /** Stops watching. */
  stop(): void {
    this.#stopped = true;
  }

  async #reload(stamp: string, { store, env, log, maySet }: WatchHost): Promise<void> {
    const read = await this.#read();
    // Still being written: retry when it is stable.
    if (this.#stopped || (await stampOf(this.#files)) !== stamp) return;
    this.#files = read.files;
    this.#loaded = await stampOf(read.files);
    const refuse = (errors: FieldErrors): void => {
      log("Fixtures not reloaded, nothing was changed:");
      for (const line of read.describe(errors)) log(`  ${line}`);
    };
    const parsed = await inSlices(parseSteps(read.world));
    const trial = await inSlices(importSteps(store.world, parsed, "replace", env));
    if (read.flawed || "problem" in trial) return refuse("problem" in trial ? (trial.problem.fields ?? {}) : {});
    const { world, lines, placeOf } = await inSlices(changedEntries(this.#world, read.world));
    const { state, ...checked } = await inSlices(parseSteps(world));
    const apps = state.apps.map(({ secret, ...app }) =>
      secret === undefined || !maySet(secret) ? app : { ...app, secret },
    );
    const outcome = await store.transactInSteps((w) =>
      importSteps(w, { ...checked, state: { ...state, apps }, fit: read.hasPeople }, "merge", env),
    );
    if (this.#stopped) return;
    if (!outcome.ok) {
      const { fields = { base: [outcome.problem.code] } } = outcome.problem;
      return refuse(Object.fromEntries(Object.entries(fields).map(([path, texts]) => [placeOf(path), [...texts]])));
    }
    this.#world = read.world;
    const { cut = 0 } = outcome.value.users;
    if (cut > 0) log(cutWords(many(cut, "existing user")));
    log(`Fixtures reloaded: ${lines.length === 0 ? "nothing differs" : many(lines.length, "change")}`);
    for (const line of lines.slice(0, MOST_LINES)) log(`  ${line}`);
    if (lines.length > MOST_LINES) log(`  … and ${lines.length - MOST_LINES} more`);
  }
}
