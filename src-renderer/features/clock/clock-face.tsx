import { Button, Kbd } from "@mantine/core";
import { useClock } from "../../api/clock.ts";
import { clockWords } from "../../ui/clock-words.ts";
import { useKeys } from "../../ui/keys.ts";
import { useNow } from "../../ui/now.ts";
import { StatusMark } from "../../ui/status-mark.tsx";
import classes from "./clock.module.css";
import type { ClockStep } from "./clock-change.ts";
import { apartWords, kindOf, stateWords } from "./clock-state.ts";

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
  const toggle = (): void =>
    onStep(frozen ? { run: true, done: "was let run on" } : { freeze: true, done: "was stopped at what it showed" });
  const back = (): void => onStep({ set: {}, done: "was put back to real time" });
  useKeys({ f: toggle });
  if (clock === null) return null;
  return (
    <section className={classes.face} aria-labelledby="clock-face">
      <h2 id="clock-face">
        <bdi>{name}</bdi>
      </h2>
      <time className={`mono ${classes.now}`} dateTime={instant} title={instant} data-testid="clock-now">
        {clockWords(instant)}
      </time>
      <p className={classes.day}>{day.format(nowMs)}</p>
      <p className={classes.state} data-testid="clock-state">
        <StatusMark tone={kind === "real" ? "ok" : "warn"}>
          {frozen ? `Stands still, ${apartWords(nowMs - Date.now())}` : stateWords(clock)}
        </StatusMark>
      </p>
      <div className={classes.buttons}>
        <Button
          variant={kind === "real" ? "filled" : "default"}
          disabled={busy}
          rightSection={<Kbd className={classes.key ?? ""}>f</Kbd>}
          onClick={toggle}
        >
          {frozen ? "Let it run on" : "Freeze now"}
        </Button>
        <Button
          variant={kind === "real" ? "default" : "filled"}
          disabled={busy || kind === "real"}
          title={kind === "real" ? "It shows real time." : undefined}
          onClick={back}
        >
          Back to real time
        </Button>
      </div>
    </section>
  );
};
