/** Rate limits of apps (D31). None by default; they use real time, whatever the service clock says. */
import { effectiveSettings } from "#contract/effective-settings.ts";
import { type Problem, problem } from "#contract/problems.ts";
import { foldUsername } from "#contract/scalars.ts";
import type { AppWorld } from "#domain/world.ts";

const MINUTE_MS = 60_000;

/** Counts events in the last minute, by key. */
class LastMinute {
  readonly #times = new Map<string, number[]>();

  /** @returns milliseconds until one more fits under `limit`; 0 if it fits now, which counts it. */
  take(key: string, limit: number, nowMs: number): number {
    const recent = (this.#times.get(key) ?? []).filter((at) => at > nowMs - MINUTE_MS);
    const oldest = recent[recent.length - limit];
    if (oldest !== undefined) return oldest + MINUTE_MS - nowMs;
    recent.push(nowMs);
    this.#times.set(key, recent);
    if (this.#times.size > 10_000) this.#forget(nowMs);
    return 0;
  }

  #forget(nowMs: number): void {
    for (const [key, times] of this.#times) if ((times.at(-1) ?? 0) <= nowMs - MINUTE_MS) this.#times.delete(key);
  }
}

/** Applies the limits of an app. */
export interface Limits {
  /** Counts a session request. @returns a 429 if there are too many. */
  request(app: AppWorld): Problem | undefined;
  /** Counts a passcode about to be sent to this username. @returns a 429 if there are too many. */
  passcode(app: AppWorld, username: string): Problem | undefined;
}

/** @param monotonic milliseconds on a monotonic clock. */
export const createLimits = (monotonic: () => number): Limits => {
  const requests = new LastMinute();
  const passcodes = new LastMinute();
  const take = (counter: LastMinute, key: string, limit: number | null): Problem | undefined => {
    if (limit === null) return undefined;
    const waitMs = counter.take(key, limit, monotonic());
    if (waitMs <= 0) return undefined;
    return problem("rate_limited", { headers: { "Retry-After": String(Math.ceil(waitMs / 1000)) } }).problem;
  };
  const limitsOf = (app: AppWorld) => effectiveSettings(app.app.settings).limits;
  return {
    request: (app) => take(requests, app.app.appId, limitsOf(app).requestsPerMinute),
    passcode: (app, username) =>
      take(passcodes, JSON.stringify([app.app.appId, foldUsername(username)]), limitsOf(app).otpPerMinute),
  };
};
