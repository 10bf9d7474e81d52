/**
 * The measured service: sends requests at a steady rate, retries when connection or service fail, and keeps them as
 * evidence, without secrets or other people's records.
 */
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { Unobservable } from "./observation.ts";

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

/** Sends a request without following redirects. @returns the response. @throws Error if there is none. */
export type Send = (request: Outgoing) => Promise<Received>;

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
}

const TRIES = 6;
const BACK_OFF_MS = 100;
const LONGEST_WAIT_S = 90;
const MASK = "***";
/** Keys whose values are masked in the report. */
const MASKED = new Set(["token", "passcode", "code", "otp", "secret"]);
/** Headers kept in the report: those relevant to a decision. */
const KEPT_HEADERS = /^(content-type|link|retry-after|allow|(current|total|page|x|ratelimit)-.*|.*count|.*limit.*)$/;

const masked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(masked);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, MASKED.has(key) ? MASK : masked(inner)]));
};

const parsed = (text: string): unknown => {
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

  constructor(parts: ServiceParts) {
    this.#parts = parts;
    this.appId = parts.appId;
    this.sleep = parts.sleep;
  }

  /** Calls the admin interface. @param path below the base URL. @throws Unobservable if there is no response. */
  admin(method: string, path: string, body?: JsonObject): Promise<Reply> {
    const { adminUrl, secret } = this.#parts;
    return this.#ask(method, adminUrl + path, { Authorization: `Bearer ${secret}` }, body);
  }

  /** Calls the session interface. @throws Unobservable if there is no response. */
  session(method: string, body?: JsonObject, token?: string): Promise<Reply> {
    const headers: Headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return this.#ask(method, `${this.#parts.authUrl}/v1/users/session`, headers, body);
  }

  async #pace(): Promise<void> {
    const now = this.#parts.monotonic();
    const wait = this.#nextAt - now;
    this.#nextAt = Math.max(now, this.#nextAt) + 1_000 / this.#parts.rate;
    if (wait > 0) await this.sleep(wait);
  }

  async #ask(method: string, url: string, headers: Headers, body: JsonObject | undefined): Promise<Reply> {
    const request: Outgoing =
      body === undefined
        ? { method, url, headers, body: null }
        : { method, url, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
    let failure = "";
    for (let attempt = 0; attempt < TRIES; attempt++) {
      await this.#pace();
      const reply = await this.#once(request, body, attempt > 0);
      if (typeof reply === "string") failure = reply;
      else if (reply.status === 429) {
        failure = "429 Too Many Requests";
        const seconds = Number(reply.headers["retry-after"] ?? "1");
        if (!(seconds <= LONGEST_WAIT_S)) throw new Unobservable(`the service asks to wait ${seconds} s`);
        await this.sleep(Math.max(seconds, 0.1) * 1_000);
        continue;
      } else if (reply.status < 500) return reply;
      else failure = `status ${reply.status}`;
      await this.sleep(BACK_OFF_MS * 2 ** attempt);
    }
    throw new Unobservable(`${method} failed ${TRIES} times: ${failure}`);
  }

  /** @returns the response, or why there is none. */
  async #once(request: Outgoing, body: JsonObject | undefined, retried: boolean): Promise<Reply | string> {
    const { method, url } = request;
    const asked = { method, url, body: masked(body ?? null) };
    try {
      const { status, headers, text } = await this.#parts.send(request);
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
  if (Array.isArray(body)) return `${body.length} profiles`;
  if (!isJsonObject(body)) return typeof body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, Array.isArray(value) ? `${value.length} items` : masked(value)]),
  );
};
