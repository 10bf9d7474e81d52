/**
 * The measured service: sends requests at a steady rate and within limits, retries when connection or service fail, and
 * keeps them as evidence, without secrets or other people's records.
 */

import { isJsonArray, isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { RunStopped, Unanswered, Unobservable } from "./observation.ts";

type Headers = Readonly<Record<string, string>>;

interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | null;
}

/** A response as received; header names are in lower case. */
interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request without following redirects. @throws Error if there is no response within `timeoutMs`. */
export type Send = (request: Outgoing, timeoutMs: number) => Promise<Received>;

/** A response. */
export interface Reply extends Received {
  /** Parsed JSON, or else the text; null if there is none. */
  readonly body: unknown;
  /** Whether an earlier attempt failed, possibly after taking effect. */
  readonly retried: boolean;
}

/** A request and its response, as in the report. */
export interface Evidence {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly status: number | null;
  readonly headers: Headers;
  readonly answer: unknown;
}

/** The service, and how to call it: `rate` requests per second; times are in milliseconds. */
interface ServiceParts extends Readonly<Record<"adminUrl" | "authUrl" | "secret" | "appId", string>> {
  readonly rate: number;
  readonly send: Send;
  readonly sleep: (ms: number) => Promise<void>;
  readonly monotonic: () => number;
  /** Whether to end early: from then on only `startTidying` allows requests, and `sleep` returns at once. */
  readonly isEnded: () => boolean;
}

const TRIES = 4;
const BACK_OFF_MS = 100;
const LONGEST_WAIT_S = 90;
/** The longest wait for the answers of one probe, of tidying, and of tidying after an interruption. */
const PROBE_MS = 10_000;
const TIDY_MS = 60_000;
const HURRIED_MS = 4_500;
/** The limits of a run, apart from tidying: requests, and the time spent waiting for the service. */
const MOST_REQUESTS = 1_000;
const RUN_MS = 30 * 60_000;
const MASK = "***";
const MASKED: ReadonlySet<string> = new Set(["token", "passcode", "code", "otp", "secret"]);
/** Headers kept in the report: those relevant to a decision. */
const KEPT_HEADERS = /^(content-type|link|retry-after|allow|(current|total|page|x|ratelimit)-.*|.*count|.*limit.*)$/;

const masked = (value: unknown): unknown => {
  if (isJsonArray(value)) return value.map(masked);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, MASKED.has(key) ? MASK : masked(inner)]));
};

/** @returns JSON as its value; any other text as it is, and null for none. */
export const parsed = (text: string): unknown => {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return text;
  }
};

/** @see the file */
export class Service {
  readonly appId: string;
  readonly sleep: (ms: number) => Promise<void>;
  readonly evidence: Evidence[] = [];
  readonly #parts: ServiceParts;
  #nextAt = 0;
  #requests = 0;
  #runMs = RUN_MS;
  #allowedMs = PROBE_MS;
  #isTidying = false;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    this.appId = parts.appId;
    this.sleep = parts.sleep;
  }

  get profilesUrl(): string {
    return `${this.#parts.adminUrl}/v1/profiles`;
  }

  /** Allows the next probe its 10 s of waiting for answers. */
  startProbe(): void {
    if (!this.#isTidying) this.#allowedMs = PROBE_MS;
  }

  /** Allows the requests that delete what the run has created, even after an interruption. */
  startTidying(): void {
    this.#isTidying = true;
    this.#allowedMs = TIDY_MS;
  }

  /**
   * Calls the admin interface. @param path below the base URL.
   * @throws Unanswered if there is no usable response; RunStopped after an interruption, or at the run's limits.
   */
  admin(method: string, path: string, body?: JsonObject): Promise<Reply> {
    const { adminUrl, secret } = this.#parts;
    return this.#ask("--admin-url", { method, url: adminUrl + path }, { Authorization: `Bearer ${secret}` }, body);
  }

  /** Calls the session interface. @throws like `admin`. */
  session(method: string, body?: JsonObject, token?: string): Promise<Reply> {
    const headers: Headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return this.#ask("--auth-url", { method, url: `${this.#parts.authUrl}/v1/users/session` }, headers, body);
  }

  async #pace(): Promise<void> {
    const now = this.#parts.monotonic();
    const wait = this.#nextAt - now;
    this.#nextAt = Math.max(now, this.#nextAt) + 1_000 / this.#parts.rate;
    if (wait > 0) await this.sleep(wait);
  }

  /** Retries what failed, except a POST, which may have been processed. */
  async #ask(
    option: string,
    { method, url }: Pick<Outgoing, "method" | "url">,
    headers: Headers,
    body: JsonObject | undefined,
  ): Promise<Reply> {
    const request: Outgoing =
      body === undefined
        ? { method, url, headers, body: null }
        : { method, url, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
    for (let attempt = 1; ; attempt++) {
      await this.#pace();
      this.#check();
      const reply = await this.#once(request, body, attempt > 1);
      const isBusy = typeof reply !== "string" && reply.status === 429;
      if (typeof reply !== "string" && !isBusy && (reply.status < 300 || (reply.status >= 400 && reply.status < 500)))
        return reply;
      const where = `${method} ${url} (${option})`;
      if (typeof reply !== "string" && reply.status < 400)
        throw new Unanswered(
          `${where} redirects to ${reply.headers["location"] ?? "nowhere"}: give ${option} that URL`,
        );
      const failure = typeof reply === "string" ? reply : `status ${reply.status}`;
      if (attempt === TRIES || (method === "POST" && !isBusy) || this.#allowedMs <= 0)
        throw new Unanswered(`no response to ${where}: ${failure}`);
      if (isBusy) await this.#waitAsAsked(reply.headers["retry-after"] ?? "1");
      else await this.#spend(() => this.sleep(BACK_OFF_MS * 2 ** attempt));
    }
  }

  /** @throws RunStopped if nothing more may be asked, Unobservable if the probe has used its time up. */
  #check(): void {
    if (this.#isTidying) {
      if (this.#parts.isEnded()) this.#allowedMs = Math.min(this.#allowedMs, HURRIED_MS);
    } else if (this.#parts.isEnded()) throw new RunStopped("Interrupted.");
    else if (this.#requests++ >= MOST_REQUESTS) throw new RunStopped(`The run has sent ${MOST_REQUESTS} requests.`);
    else if (this.#runMs <= 0) throw new RunStopped(`The run has waited ${RUN_MS / 60_000} minutes for the service.`);
    if (this.#allowedMs <= 0) throw new Unobservable(`the responses took longer than ${PROBE_MS / 1_000} s`);
  }

  /** Subtracts the time of a task from what the probe and the run have left. */
  async #spend<T>(task: () => Promise<T>): Promise<T> {
    const startedAt = this.#parts.monotonic();
    try {
      return await task();
    } finally {
      const ms = this.#parts.monotonic() - startedAt;
      this.#allowedMs -= ms;
      this.#runMs -= ms;
    }
  }

  async #waitAsAsked(retryAfter: string): Promise<void> {
    const seconds = Number(retryAfter);
    if (!(seconds <= LONGEST_WAIT_S)) throw new Unanswered(`the service asks to wait ${retryAfter} s (429)`);
    const ms = Math.max(seconds, 0.1) * 1_000;
    this.#runMs -= ms;
    await this.sleep(ms);
  }

  /** @returns the response, or why there is none. */
  async #once(request: Outgoing, body: JsonObject | undefined, retried: boolean): Promise<Reply | string> {
    const { method, url } = request;
    const asked = { method, url, body: masked(body ?? null) };
    try {
      const timeoutMs = Math.min(PROBE_MS, this.#allowedMs);
      const { status, headers, text } = await this.#spend(() => this.#parts.send(request, timeoutMs));
      const reply: Reply = { status, headers, body: parsed(text), text, retried };
      const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_HEADERS.test(name)));
      const answer = holdsOthers(method, url) ? summaryOf(reply.body) : masked(reply.body);
      this.evidence.push({ ...asked, status, headers: kept, answer });
      return reply;
    } catch (error) {
      const answer = error instanceof Error ? error.message : String(error);
      this.evidence.push({ ...asked, status: null, headers: {}, answer });
      return answer;
    }
  }
}

/** A list contains other people's records, which must not appear in the report. */
const holdsOthers = (method: string, url: string): boolean => method === "GET" && /\/v1\/profiles(\?|$)/.test(url);

const summaryOf = (body: unknown): unknown => {
  if (isJsonArray(body)) return `${body.length} profiles`;
  if (!isJsonObject(body)) return typeof body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, isJsonArray(value) ? `${value.length} items` : masked(value)]),
  );
};
