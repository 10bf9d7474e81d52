import type { Passcode, Profile } from "#client/index.ts";
import { nameOf } from "../../api/queries.ts";
import { Code } from "../../ui/code.tsx";
import { lifeLeft } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import { recipientText } from "../../ui/words.ts";
import { lookOf, STANDING_WORDS, type Standing } from "../inbox/passcode-status.ts";
import classes from "./code.module.css";
import stage from "./stage.module.css";

interface CodePartProps {
  readonly passcode: Passcode;
  readonly profile: Profile | null | undefined;
  readonly standing: Standing;
  readonly nowMs: number;
}

/** The phone's code, readable from the last row, its user, and its lifetime as a bar. */
export const CodePart = ({ passcode, profile, standing, nowMs }: CodePartProps) => {
  const left = lifeLeft({ nowMs, ...passcode });
  const isActive = standing === "active";
  const [tone, words] = isActive
    ? [left.tone, left.children]
    : standing === "used"
      ? (["ok", "Signed in"] as const)
      : STANDING_WORDS[standing];
  const share = isActive ? left.share : standing === "expired" ? 0 : 100;
  return (
    <section className={classes["code"]} aria-label="Newest code">
      <p className={classes["whose"]}>
        Code for <bdi className={`${classes["who"]} ${stage["private"]}`}>{nameOf(profile)}</bdi> ·{" "}
        <bdi className={stage["private"]}>{recipientText(passcode.to)}</bdi>
      </p>
      <p className={classes["digits"]} data-testid="hero" data-used={standing === "used" || undefined}>
        <Code code={passcode.code} look={lookOf(standing)} />
      </p>
      <div className={classes["life"]} style={{ "--tone": TONES[tone][0], color: TONES[tone][1] }}>
        <span className={classes["track"]}>
          <span className={classes["rest"]} style={{ width: `${share}%` }} />
        </span>
        <strong>{words}</strong>
      </div>
    </section>
  );
};

/** The placeholder before there is a code. */
export const NoCode = ({
  title,
  hint,
  digits,
}: {
  readonly title: string;
  readonly hint: string;
  readonly digits: number;
}) => (
  <section className={classes["code"]} aria-label="Newest code">
    <p>
      <strong className={classes["who"]}>{title}</strong>
    </p>
    <p className={classes["digits"]} data-empty aria-hidden="true">
      <Code code={"•".repeat(digits)} look="live" />
    </p>
    <p>{hint}</p>
  </section>
);

/** Codes of other phones. */
export const OtherCodes = ({ passcodes }: { readonly passcodes: readonly Passcode[] }) =>
  passcodes.length > 0 && (
    <section className={stage["others"]} aria-label="Codes of the audience">
      <h2>In the audience</h2>
      <ul>
        {passcodes.map(({ id, to, code }) => (
          <li key={id}>
            <bdi className={stage["private"]}>{recipientText(to)}</bdi> <Code code={code} look="live" />
          </li>
        ))}
      </ul>
    </section>
  );
