import type { FaultInput } from "#client/index.ts";
import type { EffectName } from "#contract/service/faults.ts";
import { REASON_WORDS } from "#contract/service/reasons.ts";

/** A named fault. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly words: string;
  readonly fault: FaultInput;
  /** It needs a recipient. */
  readonly oneUser?: true;
  /** The only call of a login that it can meet. Absent: any request. */
  readonly only?: "POST" | "PUT";
}

type Effect = FaultInput["effect"];

/** @returns a preset for auth, for a number of requests (null: no limit). */
const onAuth = (id: string, title: string, words: string, effect: Effect, times: number | null): Preset => ({
  id,
  title,
  words,
  fault: { match: { listener: "auth" }, effect, times },
});

/** @returns a preset for the next call that asks for a code. */
const onSend = (id: string, title: string, words: string, effect: Effect): Preset => ({
  ...onAuth(id, title, words, effect, 1),
  only: "POST",
});

/** @returns a preset for one user, until it is turned off. */
const onUser = (id: string, words: string, reason: NonNullable<Effect["reason"]>): Preset => ({
  ...onAuth(
    id,
    `One user: ${REASON_WORDS[reason].short}`,
    `Every code this user enters is rejected as ${words}.`,
    { reason },
    null,
  ),
  oneUser: true,
  only: "PUT",
});

const RETRIES = "The next three auth requests fail, the fourth works. Tests your client’s retries.";
const HTML = "The next auth request gets an HTML error page instead of JSON.";

const LOST = "The next auth request is carried out, but the app gets no response: a code is used, a session exists.";
const TIMED_OUT = "The next auth request is carried out, but the app gets a 504.";
const TWICE =
  "The next auth request is carried out twice, as a client or a proxy repeats it. The app gets the second response.";

const GATEWAY = {
  status: 502,
  headers: { "Content-Type": "text/html" },
  body: "<html><h1>Bad Gateway</h1></html>",
};

/** The presets of each effect. */
const PRESETS_OF: Readonly<Record<EffectName, readonly Preset[]>> = {
  undelivered: [
    onSend("no-code", "Do not deliver next code", "Returns 202, but the code is not delivered.", { undelivered: true }),
  ],
  deliverAfterMs: [
    onSend("late-code", "Delay next code", "Returns 202; the code arrives 30 s later.", { deliverAfterMs: 30_000 }),
  ],
  deliverTwice: [onSend("twice", "Deliver code twice", "The next code arrives twice.", { deliverTwice: true })],
  status: [
    onAuth("recover", "503 three times", RETRIES, { status: 503, headers: { "Retry-After": "1" } }, 3),
    onAuth("gateway", "502 HTML page", HTML, GATEWAY, 1),
  ],
  headers: [],
  body: [],
  clockOffMs: [],
  delayMs: [
    {
      id: "slow",
      title: "Delay every request 2 s",
      words: "Every request waits 2 s, then works.",
      fault: { match: {}, effect: { delayMs: 2_000 }, times: null },
    },
  ],
  after: [
    onAuth("lost", "Lose the answer", LOST, { drop: true, after: true }, 1),
    onAuth("lost-504", "504 after carrying out", TIMED_OUT, { status: 504, after: true }, 1),
  ],
  twice: [onAuth("sent-twice", "Send it twice", TWICE, { twice: true }, 1)],
  drop: [onAuth("closed", "Drop connection", "The next auth request gets no response.", { drop: true }, 1)],
  reset: [],
  reason: [
    onSend("limited", "429 with Retry-After", "The next request for a code is rate-limited.", {
      reason: "rate_limited",
    }),
    onUser("expired", "expired", "passcode_expired"),
    onUser("locked", "locked", "passcode_exhausted"),
  ],
};

/** All presets, in the order in which they are offered. */
export const PRESETS: readonly Preset[] = Object.values(PRESETS_OF).flat();

/** @returns the preset with an id from the URL. */
export const presetOf = (id: string | null): Preset | undefined => PRESETS.find((preset) => preset.id === id);
