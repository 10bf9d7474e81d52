/**
 * Faults that people need most, ready to be set.
 */
import type { FaultInput } from "#client/index.ts";

/** A fault with a name. */
export interface Preset {
  /** In the address. */
  readonly id: string;
  readonly title: string;
  /** What the client sees. */
  readonly words: string;
  readonly fault: FaultInput;
  /** Whether it asks for one recipient. */
  readonly oneUser: boolean;
}

const AUTH = { listener: "auth" } as const;

/** The presets, those of one request first, standing ones last. */
export const PRESETS: readonly Preset[] = [
  {
    id: "no-code",
    title: "Lose next code",
    words: "Returns 202, but the code never arrives.",
    fault: { match: AUTH, effect: { undelivered: true }, times: 1 },
    oneUser: false,
  },
  {
    id: "recover",
    title: "503 three times",
    words: "Three auth requests fail, the fourth works. Tests your client’s retries.",
    fault: { match: AUTH, effect: { status: 503 }, times: 3 },
    oneUser: false,
  },
  {
    id: "slow",
    title: "Delay of 2 s",
    words: "Every request waits 2 s, then works.",
    fault: { match: {}, effect: { delayMs: 2_000 }, times: null },
    oneUser: false,
  },
  {
    id: "limited",
    title: "429 with Retry-After",
    words: "The next auth request is rate-limited.",
    fault: { match: AUTH, effect: { reason: "rate_limited" }, times: 1 },
    oneUser: false,
  },
  {
    id: "closed",
    title: "Drop connection",
    words: "The next auth request gets no response.",
    fault: { match: AUTH, effect: { drop: true }, times: 1 },
    oneUser: false,
  },
  {
    id: "gateway",
    title: "502 HTML page",
    words: "The next auth request gets an HTML error page instead of JSON.",
    fault: { match: AUTH, effect: { status: 502, body: "<html><h1>Bad Gateway</h1></html>" }, times: 1 },
    oneUser: false,
  },
  {
    id: "expired",
    title: "One user: code expired",
    words: "Every code that this user enters counts as expired.",
    fault: { match: AUTH, effect: { reason: "passcode_expired" }, times: null },
    oneUser: true,
  },
  {
    id: "locked",
    title: "One user: locked out",
    words: "Every code that this user enters is locked after too many attempts.",
    fault: { match: AUTH, effect: { reason: "passcode_exhausted" }, times: null },
    oneUser: true,
  },
];

/** @returns the preset of an id in the address. */
export const presetOf = (id: string | null): Preset | undefined => PRESETS.find((preset) => preset.id === id);
