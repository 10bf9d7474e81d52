import { Link } from "wouter";
import { groups } from "#contract/words/code-words.ts";
import { nameOf, useProfile } from "../../api/queries.ts";
import { openSendDialog } from "../../shared/user/send-code.tsx";
import { TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { ExactTime, Lines } from "../../ui/parts.tsx";
import { Section } from "../../ui/screen.tsx";
import { type ChangeProps, freezeAt } from "./clock-change.tsx";
import type { ClockMoment, Ending } from "./clock-state.ts";

const EndingName = ({ ending: { kind, id, appId, userId, code = "" } }: { readonly ending: Ending }) => {
  const { hrefTo } = useAddress();
  const name = nameOf(useProfile(appId, userId));
  return (
    <Link className="link" href={hrefTo(kind === "code" ? "codes" : "users/sessions", { id })}>
      {kind === "code" ? "Code " : "Session of "}
      {kind === "code" && <span className="mono">{groups(code).join(" ")}</span>}
      {kind === "code" && " for "}
      <bdi>{name}</bdi>
    </Link>
  );
};

const SEND = (
  <button type="button" className="link" onClick={openSendDialog}>
    Send a code
  </button>
);

/** Freezes the clock at moments relevant to a login: around the expiry of the newest passcode and session. */
export const MomentsPart = ({ moments, busy, onStep }: ChangeProps & { readonly moments: readonly ClockMoment[] }) => (
  <Section title="Jump to a moment" words="The clock freezes there.">
    <Lines columns="minmax(0, 1fr) auto">
      {moments.map(({ id, title, ending, atMs, why }) => (
        <li key={id}>
          <div>
            <strong>{title}</strong>
            {ending === null ? (
              <p className="small" id={`why-${id}`}>
                {why} {id === "session-end" ? "Sign in first." : SEND}
              </p>
            ) : (
              <p className="small cut">
                <ExactTime at={new Date(atMs).toISOString()} />, <EndingName ending={ending} />
              </p>
            )}
          </div>
          <TextButton
            aria-label={`Jump: ${title}`}
            aria-describedby={ending === null ? `why-${id}` : undefined}
            disabled={busy || ending === null}
            onClick={() => onStep(freezeAt(atMs))}
            label="Jump"
          />
        </li>
      ))}
    </Lines>
  </Section>
);
