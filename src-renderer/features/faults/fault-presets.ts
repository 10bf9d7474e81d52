/**
 * Faults that people need most, ready to be set.
 */
import type { NewFault } from "../../api/faults.ts";
import { type Draft, draftOf } from "./fault-draft.ts";

/** A fault with a name. */
export interface Preset {
  /** In the address. */
  readonly id: string;
  readonly title: string;
  /** What the client sees. */
  readonly words: string;
  readonly fault: NewFault;
  /** Whether it asks for one recipient. */
  readonly oneUser: boolean;
}

const AUTH = { listener: "auth" } as const;

/** The presets, those of one request first, standing ones last. */
export const PRESETS: readonly Preset[] = [
  {
    id: "no-code",
    title: "Next code does not arrive",
    words: "The next code is sent, says 202, and never comes.",
    fault: { match: AUTH, effect: { undelivered: true }, times: 1 },
    oneUser: false,
  },
  {
    id: "recover",
    title: "Three times 503, then recover",
    words: "Three requests to auth fail, the fourth works: for the client’s retries.",
    fault: { match: AUTH, effect: { status: 503 }, times: 3 },
    oneUser: false,
  },
  {
    id: "slow",
    title: "Slow: 2 s for everything",
    words: "Each request waits two real seconds, and is then carried out.",
    fault: { match: {}, effect: { delayMs: 2_000 }, times: null },
    oneUser: false,
  },
  {
    id: "limited",
    title: "429 with Retry-After",
    words: "The next request to auth is one too many, and is told when to come again.",
    fault: { match: AUTH, effect: { reason: "rate_limited" }, times: 1 },
    oneUser: false,
  },
  {
    id: "closed",
    title: "The connection breaks",
    words: "The next request to auth gets no answer at all.",
    fault: { match: AUTH, effect: { drop: true }, times: 1 },
    oneUser: false,
  },
  {
    id: "gateway",
    title: "A gateway in the way",
    words: "The next request to auth gets 502 and a page, where the client expects JSON.",
    fault: { match: AUTH, effect: { status: 502, body: "<html><h1>Bad Gateway</h1></html>" }, times: 1 },
    oneUser: false,
  },
  {
    id: "expired",
    title: "One user: codes always expired",
    words: "Codes are sent to this user, and each counts as expired when it is typed.",
    fault: { match: AUTH, effect: { reason: "passcode_expired" }, times: null },
    oneUser: true,
  },
  {
    id: "locked",
    title: "One user: locked out",
    words: "Whatever this user types, it is one wrong try too many.",
    fault: { match: AUTH, effect: { reason: "passcode_exhausted" }, times: null },
    oneUser: true,
  },
];

/** @returns the preset of an id in the address. */
export const presetOf = (id: string | null): Preset | undefined => PRESETS.find((preset) => preset.id === id);

/** @returns the form of a preset. @param appId the app that is looked at; null: all. @param to a username to begin with. */
export const presetDraft = ({ fault, oneUser }: Preset, appId: string | null, to: string): Draft => ({
  ...draftOf(fault),
  appId: appId ?? "",
  to: oneUser ? to : "",
});
