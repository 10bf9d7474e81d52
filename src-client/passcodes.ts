/** Passcodes, for tests: the one that comes next, and never one from before. */
import { StagedoorError } from "./error.ts";
import type { LatestQuery, List, Passcode, PasscodeQuery, Status } from "./records.ts";
import { segment, type Transport } from "./transport.ts";

/** The longest that the server waits for one request, in milliseconds. */
const MOST_MS = 60_000;

/** Which passcode to wait for. */
export interface NextQuery {
  /** The recipient: a phone number or an email address, as the profile has it. */
  readonly to: string;
  readonly appId?: string | undefined;
  /** How long to wait, in milliseconds of real time. Absent: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** A cursor: only a passcode issued after it counts. Absent: one is taken when the call is made. */
  readonly after?: number | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** @see createPasscodes */
export interface Passcodes {
  /** @returns a place in the order of all changes, for `next`: what is issued from here on is after it. */
  cursor(): Promise<number>;
  /**
   * Waits for the next passcode of a recipient: never one that was issued before the call. Call it before the app asks for a
   * code: `const next = passcodes.next({ to }); await app.askForCode(); const { code } = await next;`
   *
   * The cursor is taken by a request of its own. When the app's request could overtake that (a bare `fetch` on the same
   * machine), use `sentBy`, or await `cursor()` and pass it as `after`.
   * @throws StagedoorError with status 404 and reason `no_passcode` when none came in time. A rejection that nobody
   * awaits, since the test failed before, is no unhandled one.
   */
  next(query: NextQuery): Promise<Passcode>;
  /**
   * Takes a cursor, runs what asks for a code, and waits for that code: `sentBy(() => app.askForCode(), { to })`.
   * @throws what `ask` throws, and as `next`.
   */
  sentBy(ask: () => unknown, query: NextQuery): Promise<Passcode>;
  /** @returns the newest active passcode that fits, also one from before. @throws StagedoorError 404 `no_passcode` */
  latest(query: LatestQuery): Promise<Passcode>;
  get(id: string): Promise<Passcode>;
  /** @returns passcodes, newest first. */
  list(query?: PasscodeQuery): Promise<List<Passcode>>;
  /** Sends one to a profile, as the app's request would. */
  send(to: { readonly appId: string; readonly userId: string }): Promise<Passcode>;
  /** Lets one expire now. @param id of the passcode. */
  expire(id: string): Promise<Passcode>;
  /** Clears the passcodes of an app, or of all. */
  clear(query?: { readonly appId?: string }): Promise<void>;
}

/** @returns the calls of passcodes. */
export const createPasscodes = ({ ask, tell }: Transport): Passcodes => {
  const cursor = async (): Promise<number> => (await ask<Status>("GET", "status")).seq;

  const waitFor = async ({ to, appId, timeoutMs = 30_000, after, signal }: NextQuery): Promise<Passcode> => {
    const deadline = performance.now() + timeoutMs;
    const from = after ?? (await cursor());
    for (;;) {
      signal?.throwIfAborted();
      const left = Math.max(0, Math.ceil(deadline - performance.now()));
      const query = { to, appId, after: from, wait: Math.min(left, MOST_MS) };
      try {
        return await ask<Passcode>("GET", "passcodes/latest", { query, signal });
      } catch (error) {
        if (!(error instanceof StagedoorError) || error.reason !== "no_passcode") throw error;
        if (performance.now() < deadline) continue;
        const message = `No passcode came to ${to} within ${timeoutMs} ms.`;
        throw new StagedoorError(message, error.status, error.reason, error.body);
      }
    }
  };

  return {
    cursor,
    next: (query) => {
      const passcode = waitFor(query);
      // A test that fails before it awaits this has said enough.
      passcode.catch(() => undefined);
      return passcode;
    },
    sentBy: async (askForCode, query) => {
      const after = query.after ?? (await cursor());
      await askForCode();
      return await waitFor({ ...query, after });
    },
    latest: (query) => ask("GET", "passcodes/latest", { query }),
    get: (id) => ask("GET", `passcodes/${segment(id)}`),
    list: (query) => ask("GET", "passcodes", { query }),
    send: (to) => ask("POST", "passcodes", { body: to }),
    expire: (id) => ask("POST", `passcodes/${segment(id)}/expire`),
    clear: (query) => tell("DELETE", "passcodes", { query }),
  };
};
