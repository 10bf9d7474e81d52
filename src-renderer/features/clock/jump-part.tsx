import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "./clock.module.css";
import type { ClockStep } from "./clock-change.ts";
import { instantWords, JUMPS } from "./clock-state.ts";

interface JumpPartProps {
  readonly busy: boolean;
  readonly onStep: (step: ClockStep) => void;
}

/** Moves the clock by an amount, on or back. */
const Jumps = ({ busy, onStep }: JumpPartProps) => (
  <dl className={classes.jumps}>
    {(["on", "back"] as const).map((way) => (
      <div key={way}>
        <dt>{way === "on" ? "On by" : "Back by"}</dt>
        <dd className={classes.buttons}>
          {JUMPS.map(([seconds, short, words]) => (
            <Button
              key={short}
              disabled={busy}
              onClick={() =>
                onStep({ advance: way === "on" ? seconds : -seconds, done: `was moved ${way} by ${words}` })
              }
            >
              {way === "on" ? "+" : "−"}
              {short}
            </Button>
          ))}
        </dd>
      </div>
    ))}
  </dl>
);

/** Lets the clock stand still at an instant that is typed. */
const FreezeAt = ({ busy, onStep }: JumpPartProps) => {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState(false);
  // The field gives local time without a zone, which is how `Date` reads it.
  const atMs = Date.parse(typed);
  return (
    <form
      className={classes.at}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setWrong(Number.isNaN(atMs));
        if (Number.isNaN(atMs)) return;
        const frozenAt = new Date(atMs).toISOString();
        onStep({ set: { frozenAt }, done: `was stopped at ${instantWords(frozenAt)}` });
      }}
    >
      <TextInput
        type="datetime-local"
        step={1}
        label="Freeze at an instant"
        description="In this machine’s time zone."
        error={wrong && Number.isNaN(atMs) ? "Give a day and a time." : null}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" disabled={busy}>
        Freeze there
      </Button>
    </form>
  );
};

/** The ways to another time. */
export const JumpPart = (props: JumpPartProps) => (
  <section className={classes.part} aria-labelledby="clock-jump">
    <h2 id="clock-jump">Jump</h2>
    <Jumps {...props} />
    <FreezeAt {...props} />
  </section>
);
