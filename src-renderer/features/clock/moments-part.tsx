import type { ReactNode } from "react";
import { Link } from "wouter";
import { nameOf, useProfile } from "../../api/queries.ts";
import { TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { groups } from "../../ui/code.tsx";
import { ExactTime, Lines } from "../../ui/parts.tsx";
import { Section } from "../../ui/screen.tsx";
import { leftWords } from "../../ui/words.ts";
import { openSendDialog } from "../inbox/inbox-actions.tsx";
import { type ClockStep, freezeAt } from "./clock-change.tsx";
import type { Ending, Moment } from "./clock-state.ts";

const EndingName = ({ ending }: { readonly ending: Ending }) => {
  const { hrefTo } = useAddress();
  const { id, appId, userId } = ending.kind === "code" ? ending.passcode : ending.session;
  const name = nameOf(useProfile(appId, userId));
  const screen = ending.kind === "code" ? "inbox" : "sessions";
  return (
    <Link className="link" href={hrefTo(screen, { id })}>
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
    "Sign in first."
  ) : (
    <button type="button" className="link" onClick={openSendDialog}>
      Send a test code
    </button>
  );

/** Freezes the clock at moments relevant to a login: around the expiry of the newest passcode and session. */
export const MomentsPart = ({ moments, busy, onStep }: MomentsPartProps) => (
  <Section title="Jump to a moment" words="The clock freezes there.">
    <Lines columns="minmax(0, 1fr) auto">
      {moments.map((moment) => (
        <li key={moment.id}>
          <div>
            <strong>{moment.title}</strong>
            {moment.ending === null ? (
              <p className="small" id={`why-${moment.id}`}>
                {moment.why} {nextStep(moment)}
              </p>
            ) : (
              <p className="small">
                <EndingName ending={moment.ending} />, <ExactTime at={new Date(moment.atMs).toISOString()} />
              </p>
            )}
          </div>
          <TextButton
            aria-label={`Jump: ${moment.title}`}
            aria-describedby={moment.ending === null ? `why-${moment.id}` : undefined}
            disabled={busy || moment.ending === null}
            onClick={() => onStep(freezeAt(moment.atMs))}
            label="Jump"
          />
        </li>
      ))}
    </Lines>
  </Section>
);

/** The next expiries on this clock. */
export const NextPart = ({ endings, nowMs }: { readonly endings: readonly Ending[]; readonly nowMs: number }) => (
  <Section title="Upcoming expirations">
    {endings.length === 0 && <p className="dim">No active codes or sessions.</p>}
    <Lines columns="minmax(0, 1fr) auto">
      {endings.map((ending) => (
        <li key={ending.kind === "code" ? ending.passcode.id : ending.session.id}>
          <div>
            <EndingName ending={ending} />
            <p className="small">
              <ExactTime at={new Date(ending.atMs).toISOString()} />
            </p>
          </div>
          <span className="dim">in {leftWords(ending.atMs - nowMs)}</span>
        </li>
      ))}
    </Lines>
  </Section>
);
