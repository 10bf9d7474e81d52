/** Where the emulator is: at one URL, or at one of several shards, which is found out with the first call. */
import { warn } from "./environment.ts";
import { StagedoorError } from "./error.ts";
import { pause } from "./pause.ts";
import { rankShards } from "./shards.ts";

/** Which of several emulators a job meets. */
export interface Shard {
  readonly job: string;
  /** Its console. */
  readonly url: string;
  /** Its place among the shards as they were given, from 0. */
  readonly index: number;
  /** How many there are. */
  readonly count: number;
  /** Shards that the job prefers, but that did not answer when it came. */
  readonly passed: readonly string[];
}

/** @see the file */
export interface Place {
  /** The console's URL, without a slash at its end. With shards it is final after the first call. */
  readonly consoleUrl: string;
  readonly shard: Shard | null;
  /** Resolves once the place is final; undefined: it is. @throws StagedoorError `unreachable` if no shard answers. */
  arrive(): Promise<void> | undefined;
  /** What to add to the message of an error; begins with a space, or is empty. */
  readonly note: string;
}

/** How long one request to a shard may take, and how long it is until the next; milliseconds. */
const ANSWER_MS = 2_000;
const LOOK_MS = 200;

/** @param waitMs how long to ask again if nobody answers. @returns whether a Stagedoor answers. */
const answers = async (url: string, waitMs: number): Promise<boolean> => {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      const answer = await fetch(`${url}/readyz`, { redirect: "error", signal: AbortSignal.timeout(ANSWER_MS) });
      await answer.text();
      if (answer.ok && answer.headers.get("Emulator")?.startsWith("stagedoor/") === true) return true;
    } catch {
      // Nobody is there, or not yet.
    }
    if (performance.now() + LOOK_MS >= deadline) return false;
    await pause(LOOK_MS, undefined);
  }
};

/** @returns the place at one URL. */
export const fixedPlace = (consoleUrl: string): Place => ({
  consoleUrl,
  shard: null,
  arrive: () => undefined,
  note: "",
});

/**
 * @param urls of consoles, without slashes at their ends; at least one. @param waitMs how long the job's first choice is waited
 * for, before the next one is tried.
 * @returns the place of a job: the first of its shards that answers. It stays there for good, since its data is nowhere else.
 */
export const shardPlace = (job: string, urls: readonly string[], waitMs: number): Place => {
  const ranked = rankShards(job, urls);
  const shardAt = (at: number): Shard => {
    const url = ranked[at] ?? "";
    return { job, url, index: urls.indexOf(url), count: urls.length, passed: ranked.slice(0, at) };
  };
  let shard = shardAt(0);
  const find = async (): Promise<void> => {
    for (const [at, url] of ranked.entries()) {
      if (!(await answers(url, at === 0 ? waitMs : 0))) continue;
      shard = shardAt(at);
      isFinal = true;
      if (at > 0) warn(`Job "${job}" uses ${url}, because ${shard.passed.join(", ")} did not answer.`);
      return;
    }
    const message = `No Stagedoor answers at any of the ${urls.length} shards of job "${job}": ${ranked.join(", ")}.`;
    throw new StagedoorError(message, 0, "unreachable");
  };
  let arrival: Promise<void> | undefined;
  let isFinal = false;
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
