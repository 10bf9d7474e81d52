/**
 * What the clock shows, and the ways to another time.
 */
import { Button, Group, Kbd, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClock } from "../../api/clock.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { useKeys } from "../../ui/keys.ts";
import { useNow } from "../../ui/now.ts";
import { Section } from "../../ui/page.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { clockWords, exactWords } from "../../ui/time-words.ts";
import type { ClockStep } from "./clock-change.tsx";
import { apartWords, JUMPS, kindOf, stateWords } from "./clock-state.ts";

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });

interface ClockFaceProps {
  /** Whose clock; null: of all apps. */
  readonly appId: string | null;
  readonly name: string;
  readonly busy: boolean;
  readonly onStep: (step: ClockStep) => void;
}

/** What the clock shows, whether that is real, and how to stop it, let it go and put it back. */
export const ClockFace = ({ appId, name, busy, onStep }: ClockFaceProps) => {
  const clock = useClock(appId);
  const nowMs = useNow(appId);
  const instant = new Date(nowMs).toISOString();
  const kind = clock === null ? "real" : kindOf(clock);
  const frozen = kind === "frozen";
  const toggle = (): void => onStep(frozen ? { run: true, done: "was resumed" } : { freeze: true, done: "was frozen" });
  const back = (): void => onStep({ set: {}, done: "was reset to real time" });
  useKeys({ f: toggle });
  if (clock === null) return null;
  return (
    <Section title={<bdi>{name}</bdi>}>
      <time className="mono hero" dateTime={instant} title={instant} data-testid="clock-now">
        {clockWords(instant)}
      </time>
      <p className="dim">{day.format(nowMs)}</p>
      <p data-testid="clock-state">
        <StatusMark tone={kind === "real" ? "ok" : "warn"}>
          {frozen ? `Frozen, ${apartWords(nowMs - Date.now())}` : stateWords(clock)}
        </StatusMark>
      </p>
      <Group mt={12}>
        <Button
          variant={kind === "real" ? "filled" : "default"}
          disabled={busy}
          rightSection={<Kbd>f</Kbd>}
          onClick={toggle}
        >
          {frozen ? "Resume" : "Freeze"}
        </Button>
        <Button
          variant={kind === "real" ? "default" : "filled"}
          disabled={busy || kind === "real"}
          title={kind === "real" ? "The clock already shows real time." : undefined}
          onClick={back}
        >
          Back to real time
        </Button>
      </Group>
    </Section>
  );
};

interface JumpPartProps {
  readonly busy: boolean;
  readonly onStep: (step: ClockStep) => void;
}

/** A date and a time, such as `2026-12-31 23:59` or with seconds. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/;

/** Moves the clock by an amount, forward or back. */
const Jumps = ({ busy, onStep }: JumpPartProps) => (
  <Facts names={64}>
    {(["forward", "back"] as const).map((way) => (
      <Fact key={way} name={way === "forward" ? "Forward" : "Back"}>
        <Group>
          {JUMPS.map(([seconds, short, words]) => (
            <Button
              key={short}
              disabled={busy}
              onClick={() =>
                onStep({ advance: way === "forward" ? seconds : -seconds, done: `was moved ${way} by ${words}` })
              }
            >
              {way === "forward" ? "+" : "−"}
              {short}
            </Button>
          ))}
        </Group>
      </Fact>
    ))}
  </Facts>
);

/** Freezes the clock at a time that is typed. */
const FreezeAt = ({ busy, onStep }: JumpPartProps) => {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState(false);
  // Without a zone, `Date` reads it as local time.
  const atMs = LOCAL_TIME.test(typed.trim()) ? Date.parse(typed.trim().replace(" ", "T")) : Number.NaN;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setWrong(Number.isNaN(atMs));
        if (Number.isNaN(atMs)) return;
        const frozenAt = new Date(atMs).toISOString();
        onStep({ set: { frozenAt }, done: `was frozen at ${exactWords(frozenAt)}` });
      }}
    >
      <Group align="flex-end">
        <TextInput
          label="Freeze at a time"
          description="24-hour local time."
          placeholder="2026-12-31 23:59:30"
          error={wrong && Number.isNaN(atMs) ? "Enter a date and a time, such as 2026-12-31 23:59" : null}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" disabled={busy}>
          Freeze
        </Button>
      </Group>
    </form>
  );
};

/** The ways to another time. */
export const JumpPart = (props: JumpPartProps) => (
  <Section title="Jump">
    <Jumps {...props} />
    <FreezeAt {...props} />
  </Section>
);
