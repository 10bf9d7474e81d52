/** Rate limits of apps (D31). None by default; they use real time, whatever the service clock says. */
import { createHash } from "node:crypto";
import { foldUsername } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { Problem } from "#contract/service/problems.ts";
import type { AppWorld } from "#domain/world.ts";

const MINUTE_MS = 60_000;
/** Above this many keys of an app, those without events in the last minute are dropped, then the oldest. */
const MOST = 20_000;
/** A longer key is kept as its digest, in bytes. */
const KEY_BYTES = 64;

/** Memory of a key without its times, in bytes. */
const KEY = 250;

const shortened = (key: string): string =>
  Buffer.byteLength(key) <= KEY_BYTES ? key : createHash("sha256").update(key).digest("base64url");

/** The times of the events in the last minute by key, and how much they are, estimated in bytes. */
class Times extends Map<string, readonly number[]> {
  bytes = 0;

  override set(key: string, times: readonly number[]): this {
    this.bytes += KEY + 8 * times.length;
    return super.set(key, times);
  }

  override delete(key: string): boolean {
    const before = this.get(key);
    if (before !== undefined) this.bytes -= KEY + 8 * before.length;
    return super.delete(key);
  }
}

/** @param monotonic milliseconds on a monotonic clock. @returns functions that apply the limits of an app. */
export const createLimits = (monotonic: () => number) => {
  /** They go with the app. */
  const byApp = new WeakMap<AppWorld, Times>();
  /** Counts an event. @param key empty: any of the app. @returns a 429 if there are too many. */
  const take = (app: AppWorld, limit: number | null, key: string): Problem | undefined => {
    if (limit === null) return undefined;
    const times = byApp.get(app) ?? new Times();
    byApp.set(app, times);
    const name = shortened(key);
    const startMs = monotonic() - MINUTE_MS;
    const recent = (times.get(name) ?? []).filter((at) => at > startMs);
    const oldest = recent[recent.length - limit];
    if (oldest !== undefined) {
      const headers = { "Retry-After": String(Math.ceil((oldest - startMs) / 1000)) };
      return { code: "rate_limited", headers };
    }
    // At the end, so that the first is the one that has not been used for the longest time.
    times.delete(name);
    times.set(name, [...recent, startMs + MINUTE_MS]);
    for (const [other, list] of times) {
      if (times.size <= MOST && (list.at(-1) ?? 0) > startMs) break;
      times.delete(other);
    }
    return undefined;
  };
  const limitsOf = ({ app }: AppWorld) => effectiveSettings(app.settings).limits;
  return {
    bytesOf: (app: AppWorld): number => byApp.get(app)?.bytes ?? 0,
    /** Counts a session request. @returns a 429 if there are too many. */
    request: (app: AppWorld) => take(app, limitsOf(app).requestsPerMinute, ""),
    /** Counts a passcode about to be sent to this username. @returns a 429 if there are too many. */
    passcode: (app: AppWorld, username: string) => take(app, limitsOf(app).otpPerMinute, foldUsername(username)),
  };
};
