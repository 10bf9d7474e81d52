/** The phone's newest code, readable from the back of a room. */
import type { Passcode, Profile } from "#client/index.ts";
import type { PhoneState } from "#contract/control/stage-bridge.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { nameOf } from "../../api/queries.ts";
import { lookOf, type PasscodeStanding, STANDING_WORDS } from "../../shared/login/passcode-status.ts";
import { Code } from "../../ui/code.tsx";
import { lifeLeft } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import classes from "./present.module.css";

interface NewestCodeProps {
  readonly passcode: Passcode;
  readonly profile: Profile | null | undefined;
  readonly standing: PasscodeStanding;
  readonly nowMs: number;
}

/** The code, its user, and its lifetime as a bar. */
export const NewestCode = ({ passcode, profile, standing, nowMs }: NewestCodeProps) => {
  const left = lifeLeft({ nowMs, ...passcode });
  const isActive = standing === "active";
  const [tone, word] = isActive ? [left.tone, left.children] : STANDING_WORDS[standing];
  const shown = standing === "used" ? ([TONES.ok, "Signed in"] as const) : ([TONES[tone], word] as const);
  return (
    <section className={classes["code"]} aria-label="Newest code">
      <p className={classes["whose"]}>
        Code for <bdi className={`cut ${classes["name"]}`}>{nameOf(profile)}</bdi> ·{" "}
        <bdi>{recipientText(passcode.to)}</bdi>
      </p>
      <p className={classes["digits"]} data-testid="hero" data-used={standing === "used" || undefined}>
        {/* Nobody in the room knows the code before the phone has it. */}
        <Code
          code={standing === "pending" ? passcode.code.replace(/./g, "•") : passcode.code}
          look={lookOf(standing)}
        />
      </p>
      <p className={classes["life"]} style={{ color: shown[0][1] }}>
        <span className={classes["track"]}>
          <span
            style={{ width: `${isActive ? left.share : standing === "expired" ? 0 : 100}%`, background: shown[0][0] }}
          />
        </span>
        <strong>{shown[1]}</strong>
      </p>
    </section>
  );
};

/** A title, and a line below it. */
export type Words = readonly [title: string, hint: string];

const AGAIN = "Press Space to go on, or R to start over.";
/** By the state of the phone: what is written in place of the code. */
export const HINTS: Readonly<Record<PhoneState, Words>> = {
  loading: ["Starting the phone…", ""],
  idle: ["Who signs in?", "Press Space, or type on the phone."],
  typing: ["Who signs in?", "Press Space, or type on the phone."],
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

/** The placeholder before there is a code. */
export const NoCode = ({ said: [title, hint], digits }: { readonly said: Words; readonly digits: number }) => (
  <section className={classes["code"]} aria-label="Newest code">
    <p className={classes["name"]}>{title}</p>
    <p className={classes["digits"]} data-empty aria-hidden="true">
      <Code code={"•".repeat(digits)} look="live" />
    </p>
    <p className={classes["life"]}>{hint}</p>
  </section>
);
