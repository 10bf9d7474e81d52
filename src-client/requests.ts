/** The request log for tests: what the app sent, and waiting for it. */
import { awaitedLater } from "./awaited.ts";
import { StagedoorError } from "./error.ts";
import { checkOptions } from "./options.ts";
import type { Exploration, List, LoginBundle, Replayed, ReplayInput, RequestQuery, RequestRow } from "./records.ts";
import { pause } from "./signals.ts";
import { segment, type Transport } from "./transport.ts";

/** Which requests match: all given fields must be equal; or a predicate. */
export type RequestMatch = Omit<RequestQuery, "limit"> | ((row: RequestRow) => boolean);

/** How to wait for a request. */
export interface WaitOptions {
  /** Timeout in milliseconds of real time. Absent: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** A request id: only newer requests match. Absent: a request already in the log matches too. */
  readonly after?: string | undefined;
  /** Cancels the wait. */
  readonly signal?: AbortSignal | undefined;
}

const LOOK_MS = 50;
/** Maximum number of rows that the server lists. */
const ALL = 1_000;
const FEW = 3;

/** @returns the request log methods; by default for the newest 1,000 requests to admin and auth. */
export const createRequests = (transport: Transport) => {
  const { ask } = transport;
  const list = (query?: RequestQuery, signal?: AbortSignal): Promise<List<RequestRow>> =>
    ask("GET", "requests", { query, signal });

  const matching = async (match: RequestMatch, limit: number, signal?: AbortSignal): Promise<List<RequestRow>> => {
    if (typeof match !== "function") return await list({ ...match, limit }, signal);
    const items = (await list({ limit: ALL }, signal)).items.filter(match);
    return { items, total: items.length };
  };

  const waitFor = async (match: RequestMatch, options: WaitOptions = {}): Promise<RequestRow> => {
    checkOptions("requests.waitFor", options, ["timeoutMs", "after", "signal"]);
    const { timeoutMs = 30_000, after, signal } = options;
    const deadline = performance.now() + timeoutMs;
    const isNewer = async ({ id }: RequestRow): Promise<boolean> => {
      if (after === undefined) return true;
      const ids = (await list({ limit: ALL }, signal)).items.map((row) => row.id);
      return !ids.includes(after) || ids.indexOf(id) < ids.indexOf(after);
    };
    for (;;) {
      const [row] = (await matching(match, 1, signal)).items;
      if (row !== undefined && (await isNewer(row))) return row;
      if (performance.now() >= deadline) break;
      await pause(LOOK_MS, [signal, ...transport.ends]);
    }
    const rows = (await list({ limit: FEW }, signal)).items;
    const last = rows.map(({ method, path, status, reason }) => `${method} ${path} ${status} ${reason ?? ""}`.trim());
    const wanted = typeof match === "function" ? "the function" : JSON.stringify(match);
    const message = `No request matched ${wanted} within ${timeoutMs / 1_000} s. Last requests: ${last.join(", ") || "none"}.`;
    throw new StagedoorError(message, 404, "no_request");
  };

  return {
    list: (query?: RequestQuery): Promise<List<RequestRow>> => list(query),
    /**
     * Explains the newest ten requests of an app that failed, for the output of a test that failed.
     * @param of `since`: only requests after this one, by its id. @returns a line each, oldest first; empty if none failed.
     */
    failed: async (of: { readonly appId?: string; readonly since?: string | undefined } = {}): Promise<string> =>
      (await ask<{ readonly text: string }>("GET", "requests/failed", { query: of })).text,
    get: (id: string): Promise<RequestRow> => ask("GET", `requests/${segment(id)}`),
    /**
     * Waits until a request matches: `await requests.waitFor({ appId, path: "/v1/users/session", status: 202 })`.
     * @returns the newest match, possibly one already in the log.
     * @throws StagedoorError 404 `no_request` after the timeout, with the requests that arrived instead.
     */
    waitFor: (match: RequestMatch, options?: WaitOptions): Promise<RequestRow> =>
      awaitedLater(() => waitFor(match, options)),
    /** @returns the number of matching requests in the log. */
    count: async (match: RequestMatch = {}): Promise<number> => (await matching(match, 1)).total,
    /** @returns everything about the login of a request, secrets masked; save it to a file for `stagedoor open`. */
    bundle: (id: string): Promise<LoginBundle> => ask("GET", `requests/${segment(id)}/bundle`),
    /** @returns the exploration that `stagedoor open FILE` shows; null if it shows none. */
    exploration: async (): Promise<Exploration | null> => {
      const opened: { readonly exploration: Exploration | null } = await ask("GET", "exploration");
      return opened.exploration;
    },
    /** @returns the request as a curl command, with the app's real secret. */
    curl: (id: string): Promise<string> =>
      transport.text("GET", `requests/${segment(id)}/curl`, { headers: { Accept: "text/plain" } }),
    /** Resends a request to the same listener. @param change what to change. */
    replay: (id: string, change: ReplayInput = {}): Promise<Replayed> =>
      ask("POST", `requests/${segment(id)}/replay`, { body: change }),
    /** Clears the log, or only the requests of an app or with these ids. */
    clear: ({ ids, ...query }: { readonly appId?: string; readonly ids?: readonly string[] } = {}): Promise<void> =>
      transport.tell("DELETE", "requests", { query, ...(ids !== undefined && { body: { ids } }) }),
    /** Brings back what the last `clear` has removed. */
    recall: (): Promise<void> => transport.tell("DELETE", "requests", { body: { undo: true } }),
  };
};

export type Requests = ReturnType<typeof createRequests>;
