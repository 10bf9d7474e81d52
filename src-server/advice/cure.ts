/** Cures for a refused request: slips that a trial has proven, one after the other, until it is accepted. */
import type { Advice } from "#contract/control/requests.ts";
import { ADDRESS_SLIPS, METHOD_SLIPS } from "./address-slips.ts";
import { APP_SLIPS } from "./app-slips.ts";
import { PASSCODE_SLIPS } from "./passcode-slips.ts";
import type { Slip, SlipFinder, Tried } from "./slip.ts";
import { isFurther } from "./trial.ts";
import { USER_SLIPS } from "./user-slips.ts";

/** So many requests are tried for a row, and so many slips are taken for one cure. */
const MOST_TRIES = 32;
const MOST_SLIPS = 3;
/** A body to send can be so long. */
const MOST_BODY = 2_000;

const FINDERS: readonly SlipFinder[] = [
  ...ADDRESS_SLIPS,
  ...APP_SLIPS,
  ...USER_SLIPS,
  ...PASSCODE_SLIPS,
  ...METHOD_SLIPS,
];

/** What is known of a refused request once its slips are found. */
export interface Cure {
  readonly slips: readonly Slip[];
  /** The request without them, and what would become of it. */
  readonly end: Tried;
}

/** @param more finders that only this request has. */
export const cureOf = (refused: Tried, more: readonly SlipFinder[] = []): Cure => {
  const slips: Slip[] = [];
  let end = refused;
  let left = MOST_TRIES;
  const next = (): Slip | undefined => {
    for (const find of [...more, ...FINDERS])
      for (const slip of find(end)) {
        if (left-- <= 0) return undefined;
        const verdict = end.trial.try(slip.meant);
        if (!isFurther(end.verdict, verdict)) continue;
        end = { ...end, attempt: slip.meant, verdict };
        return slip;
      }
    return undefined;
  };
  while (!end.verdict.accepted && slips.length < MOST_SLIPS) {
    const slip = next();
    if (slip === undefined) break;
    slips.push(slip);
  }
  return { slips, end };
};

const isScalar = ({ send, place }: Slip): boolean => send !== undefined && place !== "body";

/** @returns what to send, and where, if all slips are in one part of the request; it is proven to be accepted. */
const sendOf = ({ slips, end }: Cure): Pick<Advice, "send" | "at"> | undefined => {
  const [first, ...others] = slips;
  // The address is right then; the body was not read.
  const isAddress = end.verdict.stage === "unread" && others.length === 0;
  if (!end.verdict.accepted && !isAddress) return undefined;
  if (first === undefined) return undefined;
  if (others.length === 0 && isScalar(first) && first.send !== undefined) return { send: first.send, at: first.place };
  if (!slips.every(({ place }) => place.startsWith("body")) || end.attempt.body === undefined) return undefined;
  const send = JSON.stringify(end.attempt.body);
  return send.length > MOST_BODY ? undefined : { send, at: "body" };
};

/** @returns the slips as advice: the first has what to send. */
export const adviceOfCure = (cure: Cure): Advice[] => {
  const send = sendOf(cure);
  return cure.slips.map(({ code, words }, at) => {
    if (at > 0 || send?.send === undefined) return { code, text: words };
    if (words.endsWith("?")) return { code, text: words, ...send };
    return { code, text: `${words} Send ${send.send}${/[\w"}]$/.test(send.send) ? "." : ""}`, ...send };
  });
};
