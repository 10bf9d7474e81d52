/** Rate limits of apps (D31). None by default; they use real time, whatever the service clock says. */
import { effectiveSettings } from "#contract/effective-settings.ts";
import type { Problem } from "#contract/problems.ts";
import { foldUsername } from "#contract/scalars.ts";
import type { AppWorld } from "#domain/world.ts";

const MINUTE_MS = 60_000;
/** Above this many keys, those without events in the last minute are dropped. */
const MOST = 20_000;

/** @param monotonic milliseconds on a monotonic clock. @returns functions that apply the limits of an app. */
export const createLimits = (monotonic: () => number) => {
  /** The times of the events in the last minute, by key. */
  const times = new Map<string, number[]>();
  /** Counts an event. @returns a 429 if there are too many. */
  const take = (limit: number | null, ...key: readonly string[]): Problem | undefined => {
    if (limit === null) return undefined;
    const name = JSON.stringify(key);
    const startMs = monotonic() - MINUTE_MS;
    const recent = (times.get(name) ?? []).filter((at) => at > startMs);
    const oldest = recent[recent.length - limit];
    if (oldest !== undefined) {
      const headers = { "Retry-After": String(Math.ceil((oldest - startMs) / 1000)) };
      return { code: "rate_limited", headers };
    }
    times.set(name, [...recent, startMs + MINUTE_MS]);
    if (times.size > MOST) for (const [other, list] of times) if ((list.at(-1) ?? 0) <= startMs) times.delete(other);
    return undefined;
  };
  const limitsOf = ({ app }: AppWorld) => effectiveSettings(app.settings).limits;
  /** An app created again under the same id starts anew. */
  const keyOf = ({ app }: AppWorld) => `${app.appId} ${app.seq}`;
  return {
    /** Counts a session request. @returns a 429 if there are too many. */
    request: (app: AppWorld) => take(limitsOf(app).requestsPerMinute, keyOf(app)),
    /** Counts a passcode about to be sent to this username. @returns a 429 if there are too many. */
    passcode: (app: AppWorld, username: string) => take(limitsOf(app).otpPerMinute, keyOf(app), foldUsername(username)),
  };
};
