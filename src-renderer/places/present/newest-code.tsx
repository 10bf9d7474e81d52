/** The phone's newest code, readable from the back of a room. */
import type { ReactNode } from "react";
import type { Passcode, Profile } from "#client/index.ts";
import type { PhoneState } from "#contract/control/stage-bridge.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { nameOf } from "../../api/queries.ts";
import { lookOf, type Standing } from "../../shared/login/standing.ts";
import { Code } from "../../ui/code.tsx";
import { lifeLeft } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import classes from "./present.module.css";

/** A title, and a line below it. */
export type Words = readonly [title: string, hint: string];

const IDLE: Words = ["Who signs in?", "Press Space, or type on the phone."];
const AGAIN = "Press Space to go on, or R to start over.";
/** By the state of the phone: what is written instead of the code. */
export const HINTS: Readonly<Record<PhoneState, Words>> = {
  loading: ["Starting the phone…", ""],
  idle: IDLE,
  typing: IDLE,
  filled: ["Ready to request a code", "Press Space, or Continue on the phone."],
  asking: ["Requesting a code…", "The code will appear here."],
  code: ["The code is on its way", "The code will appear here."],
  checking: ["The phone sends the code", ""],
  wrong: ["Wrong code", AGAIN],
  expired: ["The code has expired", AGAIN],
  locked: ["Locked", AGAIN],
  failed: ["The request failed", AGAIN],
  offline: ["The phone has no connection", AGAIN],
  signedIn: ["Signed in", "A new account needs no code."],
  unknownApp: ["App not found", "Press R to start over."],
};

interface FrameProps {
  readonly whose: ReactNode;
  readonly code: ReactNode;
  readonly look: "used" | "empty" | undefined;
  readonly life: ReactNode;
}

const Frame = ({ whose, code, look, life }: FrameProps) => (
  <section className={classes["code"]} aria-label="Newest code">
    <p className={classes["whose"]}>{whose}</p>
    <p
      className={classes["digits"]}
      data-look={look}
      {...(look === "empty" ? { "aria-hidden": true } : { "data-testid": "hero" })}
    >
      {code}
    </p>
    <p className={classes["life"]}>{life}</p>
  </section>
);

/** The placeholder before there is a code. */
export const NoCode = ({ said: [title, hint], digits }: { readonly said: Words; readonly digits: number }) => (
  <Frame
    whose={<strong>{title}</strong>}
    code={<Code code={"•".repeat(digits)} look="live" />}
    look="empty"
    life={hint}
  />
);

interface NewestCodeProps {
  readonly passcode: Passcode;
  readonly profile: Profile | null | undefined;
  readonly standing: Standing;
  readonly nowMs: number;
}

/** The code, its user, and its lifetime as a bar. */
export const NewestCode = ({ passcode, profile, standing, nowMs }: NewestCodeProps) => {
  const { kind, tone, word } = standing;
  const isWaiting = kind === "waiting" || kind === "wrong";
  const left = isWaiting
    ? lifeLeft({ nowMs, ...passcode })
    : { tone, share: kind === "expired" ? 0 : 100, children: word };
  const [fill, text] = TONES[left.tone];
  // No one in the room knows the code before the phone has it.
  const shown = kind === "late" ? passcode.code.replace(/./g, "•") : passcode.code;
  return (
    <Frame
      whose={
        <>
          Code for <strong className="cut">{nameOf(profile)}</strong> · <bdi>{recipientText(passcode.to)}</bdi>
        </>
      }
      code={<Code code={shown} look={kind === "signedIn" ? "live" : lookOf(standing)} />}
      look={kind === "signedIn" ? "used" : undefined}
      life={
        <>
          <span style={{ "--tone": fill, "--share": `${left.share}%` }} />
          <strong style={{ color: text }}>{left.children}</strong>
        </>
      }
    />
  );
};
