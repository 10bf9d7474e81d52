/** Passcodes for tests: always the next one, never an older one. */
import { awaitedLater } from "./awaited.ts";
import { StagedoorError } from "./error.ts";
import { checkOptions, invalidOptions } from "./options.ts";
import type { LatestQuery, List, Passcode, PasscodeQuery } from "./records.ts";
import { segment, type Transport } from "./transport.ts";

/** Maximum wait of a single request to the server, in milliseconds. */
const MOST_MS = 60_000;

/** Which passcodes to consider. */
interface AwaitedQuery {
  /** The recipient: a phone number or email address, as in the profile or as people write it. */
  readonly to: string;
  /** Absent: any app. */
  readonly appId?: string | undefined;
  /** A cursor: only passcodes issued after it. Absent: after the call. */
  readonly after?: number | undefined;
  /** Cancels the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Which passcode to wait for. */
export interface NextQuery extends AwaitedQuery {
  /** Timeout in milliseconds of real time. Absent: 30,000. */
  readonly timeoutMs?: number | undefined;
}

/** Which passcode must not arrive. */
export interface NoneQuery extends AwaitedQuery {
  /** How long to watch, in milliseconds of real time. */
  readonly within: number;
}

/** Why no passcode came: the body of the 404 (see the reference of the control API). */
interface None {
  /** `signed_up`, `undelivered`, `used`, `rate_limited` … */
  readonly reason: string;
  readonly instruction: string;
  /** The request that says so. */
  readonly request?: { readonly id: string } | undefined;
}

const AWAITED = ["to", "appId", "after", "signal"];
const NEXT = [...AWAITED, "timeoutMs"];

// Not from the status, which an app-bound token cannot read.
const cursor = async ({ ask }: Transport, appId?: string): Promise<number> =>
  (await ask<List<Passcode>>("GET", "passcodes", { query: { appId, limit: 1 } })).items[0]?.seq ?? 0;

/** @returns why there was no passcode, from the server; other errors are thrown. */
const noneIn = (error: unknown): None => {
  if (!(error instanceof StagedoorError) || error.reason !== "no_passcode") throw error;
  // The body of an error, whose fields the server always sends.
  const { reason = "", instruction = "", request } = error.body as Partial<None>;
  return { reason, instruction, request };
};

/** Looks once. @returns why there is none. @throws StagedoorError for an unknown app, or a recipient that it cannot send to. */
const lookNow = async ({ ask }: Transport, { to, appId, after, signal }: AwaitedQuery): Promise<None | undefined> => {
  const query = { to, appId, after, status: "any" };
  return await ask("GET", "passcodes/latest", { query, signal }).then(() => undefined, noneIn);
};

/** @returns a passcode, or why there was none in that time. */
const awaitPasscode = async (
  { ask }: Transport,
  {
    to,
    appId,
    after,
    signal,
    requestId,
  }: AwaitedQuery & { readonly after: number; readonly requestId?: string | undefined },
  waitMs: number,
  status: "active" | "any",
): Promise<Passcode | None> => {
  const deadline = performance.now() + waitMs;
  for (;;) {
    signal?.throwIfAborted();
    const left = Math.max(0, Math.ceil(deadline - performance.now()));
    const query = { to, appId, after, status, requestId, wait: Math.min(left, MOST_MS) };
    const found = await ask<Passcode>("GET", "passcodes/latest", { query, signal }).catch(noneIn);
    const isFinal = requestId !== undefined && "reason" in found && found.reason !== "delayed";
    if ("code" in found || isFinal || performance.now() >= deadline) return found;
  }
};

/** @returns the request that an action reports, as `session.start` does. */
const requestIdIn = (result: unknown): string | undefined =>
  typeof result === "object" && result !== null && "requestId" in result && typeof result.requestId === "string"
    ? result.requestId || undefined
    : undefined;

const checkTo = (call: string, to: unknown): void => {
  if (typeof to !== "string" || to === "") throw invalidOptions(call, { to: ["can't be blank"] });
};

const requestedBy = async (
  transport: Transport,
  call: string,
  action: () => unknown,
  query: NextQuery,
): Promise<Passcode> => {
  checkOptions(call, query, NEXT);
  const { to, appId, timeoutMs = 30_000 } = query;
  checkTo(call, to);
  const after = query.after ?? (await cursor(transport, appId));
  const before = query.after === undefined ? await lookNow(transport, { ...query, after }) : undefined;
  const requestId = requestIdIn(await action());
  const found = await awaitPasscode(transport, { ...query, after, requestId }, timeoutMs, "active");
  if ("code" in found) return found;
  const isOld = found.request !== undefined && found.request.id === before?.request?.id;
  const why = isOld || found.reason === "no_request" ? "No request reached auth in that time." : found.instruction;
  const within = requestId === undefined ? ` within ${timeoutMs / 1_000} s` : "";
  throw new StagedoorError(`No passcode arrived for ${to}${within}. ${why}`, 404, "no_passcode", found);
};

const expectNone = async (transport: Transport, query: NoneQuery): Promise<void> => {
  checkOptions("passcodes.expectNone", query, [...AWAITED, "within"]);
  const { to, appId, within } = query;
  checkTo("passcodes.expectNone", to);
  let after = query.after ?? (await cursor(transport, appId));
  const deadline = performance.now() + within;
  for (;;) {
    const passcode = await awaitPasscode(transport, { ...query, after }, deadline - performance.now(), "any");
    if (!("code" in passcode)) return;
    const isInTime =
      passcode.arrivesAt !== undefined && Date.parse(passcode.arrivesAt) - Date.now() < deadline - performance.now();
    if (passcode.delivery === "sent" || isInTime) {
      const message = `A passcode arrived for ${to} (${passcode.appId}): ${passcode.code}. None was expected.`;
      throw new StagedoorError(message, 200, "unexpected_passcode", passcode);
    }
    after = passcode.seq;
  }
};

/** @returns the passcode methods. */
export const createPasscodes = (transport: Transport) => {
  const { ask, tell } = transport;
  return {
    /** @returns a position in the sequence of passcodes, for `after`: any later passcode comes after it. */
    cursor: (): Promise<number> => cursor(transport),
    /**
     * Waits for the recipient's next passcode, never one issued before the call. Call it before the app requests a code:
     * `const next = passcodes.next({ to }); await app.askForCode(); const { code } = await next;`
     *
     * Reading the position takes a separate request. If the app's request could overtake it (a bare `fetch` on the same
     * machine), use `requestedBy`, or await `cursor()` and pass it as `after`.
     * @throws StagedoorError immediately for an unknown app (404) or an impossible recipient (422); 404 `no_passcode`
     * after the timeout, with what arrived instead. If the test does not await it, a rejection is not reported as unhandled.
     */
    next: (query: NextQuery): Promise<Passcode> =>
      awaitedLater(() => requestedBy(transport, "passcodes.next", () => undefined, query)),
    /**
     * Runs an action that requests a code, and waits for that code: `requestedBy(() => app.askForCode(), { to })`. If the
     * action returns what `session.start` does, it fails as soon as that request cannot bring one.
     * @throws what `action` throws, and as `next`.
     */
    requestedBy: (action: () => unknown, query: NextQuery): Promise<Passcode> =>
      requestedBy(transport, "passcodes.requestedBy", action, query),
    /** @deprecated Renamed to `requestedBy`. */
    sentBy: (action: () => unknown, query: NextQuery): Promise<Passcode> =>
      requestedBy(transport, "passcodes.sentBy", action, query),
    /**
     * Asserts that no passcode arrives: `await passcodes.expectNone({ to, within: 500 })`.
     * @throws StagedoorError `unexpected_passcode` as soon as one does, with the passcode as `body`; otherwise as `next`.
     */
    expectNone: (query: NoneQuery): Promise<void> => awaitedLater(() => expectNone(transport, query)),
    /** @returns the newest active matching passcode, however old. @throws StagedoorError 404 `no_passcode` */
    latest: (query: LatestQuery): Promise<Passcode> => ask("GET", "passcodes/latest", { query }),
    get: (id: string): Promise<Passcode> => ask("GET", `passcodes/${segment(id)}`),
    /** @returns passcodes, newest first. */
    list: (query?: PasscodeQuery): Promise<List<Passcode>> => ask("GET", "passcodes", { query }),
    /** Sends a passcode to a profile, as the app's request would. */
    send: (to: { readonly appId: string; readonly userId: string }): Promise<Passcode> =>
      ask("POST", "passcodes", { body: to }),
    /** Delivers a message now that a fault delays. @param id of the passcode. */
    deliver: (id: string): Promise<Passcode> => ask("POST", `passcodes/${segment(id)}/deliver`),
    /** Expires a passcode now. @param id of the passcode. */
    expire: (id: string): Promise<Passcode> => ask("POST", `passcodes/${segment(id)}/expire`),
    /** Deletes the passcodes of an app, or all. */
    clear: (query?: { readonly appId?: string }): Promise<void> => tell("DELETE", "passcodes", { query }),
  };
};

export type Passcodes = ReturnType<typeof createPasscodes>;
