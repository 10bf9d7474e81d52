import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { nameOf, useProfile } from "../../api/profile.ts";
import { useAddress } from "../../ui/address.ts";
import { groups } from "../../ui/code.tsx";
import { showDialog } from "../../ui/dialogs.ts";
import { leftWords } from "../../ui/time-words.ts";
import classes from "./clock.module.css";
import type { ClockStep } from "./clock-change.ts";
import { instantWords } from "./clock-state.ts";
import type { Ending, Moment } from "./moments.ts";

const Exact = ({ atMs }: { readonly atMs: number }) => {
  const instant = new Date(atMs).toISOString();
  return (
    <time dateTime={instant} title={instant}>
      {instantWords(instant)}
    </time>
  );
};

/** A code or a session by whose it is, as a link to it. */
const EndingName = ({ ending }: { readonly ending: Ending }) => {
  const { hrefWith } = useAddress();
  const { id, appId, userId } = ending.kind === "code" ? ending.passcode : ending.session;
  const name = nameOf(useProfile(appId, userId));
  const screen = ending.kind === "code" ? "inbox" : "sessions";
  return (
    <Link className={classes.link} href={hrefWith({ screen, id, show: null, q: "" })}>
      {ending.kind === "code" ? (
        <>
          Code <span className="mono">{groups(ending.passcode.code).join(" ")}</span> for{" "}
        </>
      ) : (
        "Session of "
      )}
      <bdi>{name}</bdi>
    </Link>
  );
};

interface MomentsPartProps {
  readonly moments: readonly Moment[];
  readonly busy: boolean;
  readonly onStep: (step: ClockStep) => void;
}

const nextStep = ({ id }: Moment): ReactNode =>
  id === "session-end" ? (
    "Sign in, and it ends here."
  ) : (
    <button type="button" className={classes.link} onClick={() => showDialog("send")}>
      Send a test code
    </button>
  );

/** Stops the clock at the moments that matter to a login, of the newest code and session. */
export const MomentsPart = ({ moments, busy, onStep }: MomentsPartProps) => (
  <section className={classes.part} aria-labelledby="clock-moments">
    <h2 id="clock-moments">Go to a moment</h2>
    <p className={classes.words}>The clock stops there, so that you can take your time.</p>
    <ul className={classes.rows}>
      {moments.map((moment) => (
        <li key={moment.id}>
          <div className={classes.what}>
            <span className={classes.title}>{moment.title}</span>
            {moment.ending === null ? (
              <span className={classes.small} id={`why-${moment.id}`}>
                {moment.why} {nextStep(moment)}
              </span>
            ) : (
              <span className={classes.small}>
                <EndingName ending={moment.ending} />, <Exact atMs={moment.atMs} />
              </span>
            )}
          </div>
          <Button
            aria-label={`Go there: ${moment.title}`}
            aria-describedby={moment.ending === null ? `why-${moment.id}` : undefined}
            disabled={busy || moment.ending === null}
            onClick={() => {
              const frozenAt = new Date(moment.atMs).toISOString();
              onStep({ set: { frozenAt }, done: `was stopped at ${instantWords(frozenAt)}` });
            }}
          >
            Go there
          </Button>
        </li>
      ))}
    </ul>
  </section>
);

/** What ends next on this clock. */
export const NextPart = ({ endings, nowMs }: { readonly endings: readonly Ending[]; readonly nowMs: number }) => (
  <section className={classes.part} aria-labelledby="clock-next">
    <h2 id="clock-next">What ends next</h2>
    {endings.length === 0 && <p className={classes.words}>No code and no session is active on this clock.</p>}
    <ul className={classes.rows}>
      {endings.map((ending) => (
        <li key={ending.kind === "code" ? ending.passcode.id : ending.session.id}>
          <div className={classes.what}>
            <span>
              <EndingName ending={ending} />
            </span>
            <span className={classes.small}>
              <Exact atMs={ending.atMs} />
            </span>
          </div>
          <span className={classes.left}>in {leftWords(ending.atMs - nowMs)}</span>
        </li>
      ))}
    </ul>
  </section>
);
