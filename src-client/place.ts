/** The location of the emulator: a fixed URL, that of the project, or one of several shards, selected with the first call. */
import { warn } from "./environment.ts";
import { StagedoorError } from "./error.ts";
import { DEFAULT_URL, instanceHere } from "./instance.ts";
import { rankShards } from "./shards.ts";
import { joinSignals, pause, readText } from "./signals.ts";

/** The shard that a job uses. */
export interface Shard {
  readonly job: string;
  /** Its console URL. */
  readonly url: string;
  /** Its index in the given list, from 0. */
  readonly index: number;
  /** The number of shards. */
  readonly count: number;
  /** Preferred shards that did not respond. */
  readonly passed: readonly string[];
}

/** @see the file */
export interface Place {
  /** Without a trailing slash. With shards it is final after the first call. */
  readonly consoleUrl: string;
  readonly shard: Shard | null;
  /** Resolves once the location is final; undefined if it is. @throws StagedoorError `unreachable` without a shard. */
  arrive(): Promise<void> | undefined;
  /** A note for error messages; starts with a space, or is empty. */
  readonly note: string;
  /** Another for where nothing responds. */
  readonly silence?: string;
}

/** Timeout of a request to a shard, and the pause before the next, in milliseconds. */
const ANSWER_MS = 2_000;
const LOOK_MS = 200;

/** @param waitMs how long to retry without a response. @returns whether a Stagedoor responds. */
const answers = async (url: string, waitMs: number): Promise<boolean> => {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { signal, release } = joinSignals([], ANSWER_MS);
    try {
      const answer = await fetch(`${url}/readyz`, { redirect: "error", signal });
      await readText(answer, signal);
      if (answer.ok && answer.headers.get("Emulator")?.startsWith("stagedoor/") === true) return true;
    } catch {
      // Not there, or not yet.
    } finally {
      release();
    }
    if (performance.now() + LOOK_MS >= deadline) return false;
    await pause(LOOK_MS);
  }
};

/** @returns a fixed location. */
export const fixedPlace = (consoleUrl: string): Place => ({
  consoleUrl,
  shard: null,
  arrive: () => undefined,
  note: "",
});

/** @returns the location that the project's `stagedoor.config.json` describes, or the default one. */
export const projectPlace = (): Place => {
  const { file, ...found } = instanceHere();
  const silence = file === undefined ? "" : ` ${file} describes it: start it with \`stagedoor start\`.`;
  return {
    ...{ shard: null, note: "", silence },
    get consoleUrl() {
      return found.consoleUrl ?? DEFAULT_URL;
    },
    arrive: () => {
      found.consoleUrl ??= instanceHere().consoleUrl;
      if (found.consoleUrl !== undefined) return undefined;
      return Promise.reject(new StagedoorError(`This project's Stagedoor is not running.${silence}`, 0, "unreachable"));
    },
  };
};

/**
 * @param waitMs for the preferred shard only. @returns the location for a job: the first of its shards that responds,
 * for good, because the data is only there.
 */
export const shardPlace = (job: string, urls: readonly string[], waitMs: number): Place => {
  const ranked = rankShards(job, urls);
  const shardAt = (at: number): Shard => {
    const url = ranked[at] ?? "";
    return { job, url, index: urls.indexOf(url), count: urls.length, passed: ranked.slice(0, at) };
  };
  let shard = shardAt(0);
  let isFinal = false;
  let arrival: Promise<void> | undefined;
  const find = async (): Promise<void> => {
    for (const [at, url] of ranked.entries()) {
      if (!(await answers(url, at === 0 ? waitMs : 0))) continue;
      shard = shardAt(at);
      isFinal = true;
      if (at > 0) warn(`Job "${job}" uses ${url}, because ${shard.passed.join(", ")} did not respond.`);
      return;
    }
    const message = `Stagedoor does not respond at any of the ${urls.length} shards of job "${job}": ${ranked.join(", ")}.`;
    throw new StagedoorError(message, 0, "unreachable");
  };
  return {
    get consoleUrl() {
      return shard.url;
    },
    get shard() {
      return shard;
    },
    arrive: () => {
      if (isFinal) return undefined;
      arrival ??= find().catch((error) => {
        arrival = undefined;
        throw error;
      });
      return arrival;
    },
    get note() {
      return ` Job "${job}" is on shard ${shard.index + 1} of ${shard.count}, ${shard.url}, and stays there.`;
    },
  };
};
