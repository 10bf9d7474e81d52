import { Box, Group } from "@mantine/core";
import type { Passcode, Profile } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { nameOf } from "../../api/queries.ts";
import { lookOf, type PasscodeStanding, STANDING_WORDS } from "../../shared/login/passcode-status.ts";
import { Code } from "../../ui/code.tsx";
import { lifeLeft } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import { leftWords } from "../../ui/words.ts";
import classes from "./code.module.css";
import stage from "./stage.module.css";
import { type Words, words } from "./words.ts";

interface CodePartProps {
  readonly passcode: Passcode;
  readonly profile: Profile | null | undefined;
  readonly standing: PasscodeStanding;
  readonly nowMs: number;
  /** Whether its last attempt was wrong, and the phone does not know yet that it is locked. */
  readonly isLastTried: boolean;
}

const WHO = { fw: 600, c: "var(--sd-text)" };

/** The phone's code, readable from the last row, its user, and its lifetime as a bar. */
export const CodePart = ({ passcode, profile, standing, nowMs, isLastTried }: CodePartProps) => {
  const left = lifeLeft({ nowMs, ...passcode });
  const isActive = standing === "active";
  const tone = isActive ? left.tone : standing === "used" ? "ok" : STANDING_WORDS[standing][0];
  const state = isActive
    ? words().left(
        leftWords(Math.max(0, Date.parse(passcode.expiresAt) - Math.max(nowMs, Date.parse(passcode.createdAt)))),
      )
    : isLastTried
      ? words().lastAttempt
      : words().standings[standing];
  const share = isActive ? left.share : standing === "expired" ? 0 : 100;
  return (
    <section className={classes["code"]} aria-label={words().newestCode}>
      <Group component="p" gap="0 0.35em" style={{ whiteSpace: "nowrap" }}>
        {words().codeFor}{" "}
        <Box component="bdi" className={`cut ${stage["private"]}`} {...WHO}>
          {nameOf(profile)}
        </Box>{" "}
        <span>
          · <bdi className={stage["private"]}>{recipientText(passcode.to)}</bdi>
        </span>
      </Group>
      <p className={classes["digits"]} data-testid="hero" data-used={standing === "used" || undefined}>
        {/* Nobody in the room knows the code before the phone has it. */}
        <Code
          code={standing === "pending" ? passcode.code.replace(/./g, "•") : passcode.code}
          look={lookOf(standing)}
        />
      </p>
      <Group gap="0.8em" wrap="nowrap" c={TONES[tone][1]}>
        <span className={classes["track"]}>
          <span style={{ width: `${share}%`, background: TONES[tone][0] }} />
        </span>
        <strong className={classes["left"]}>{state}</strong>
      </Group>
    </section>
  );
};

/** The placeholder before there is a code. */
export const NoCode = ({ said: [title, hint], digits }: { readonly said: Words; readonly digits: number }) => (
  <section className={classes["code"]} aria-label={words().newestCode}>
    <Box component="p" {...WHO}>
      {title}
    </Box>
    <p className={classes["digits"]} data-empty aria-hidden="true">
      <Code code={"•".repeat(digits)} look="live" />
    </p>
    <p>{hint}</p>
  </section>
);

/** The newest codes of other phones, and how many more there are. */
export const OtherCodes = ({ passcodes, more }: { readonly passcodes: readonly Passcode[]; readonly more: number }) =>
  passcodes.length > 0 && (
    <section className={stage["others"]} aria-label={words().audienceCodes}>
      <Box component="h2" fw={400} fz="calc(2 * var(--u))" c="dimmed">
        {words().inAudience}
        {more > 0 && ` · ${words().more(more)}`}
      </Box>
      <Group component="ul" gap="calc(0.6 * var(--u)) calc(3.4 * var(--u))" mah="2.8em" style={{ overflow: "hidden" }}>
        {passcodes.map(({ id, to, code }) => (
          <Group component="li" key={id} gap="0.7em">
            <bdi className={stage["private"]}>{recipientText(to)}</bdi>{" "}
            <Box component="strong" fw={600}>
              <Code code={code} look="live" />
            </Box>
          </Group>
        ))}
      </Group>
    </section>
  );
