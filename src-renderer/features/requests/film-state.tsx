import { Box, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { App, Passcode } from "#client/index.ts";
import { effectiveSettings } from "#contract/effective-settings.ts";
import { many, sentence } from "#contract/words.ts";
import { useAddress } from "../../ui/address.ts";
import { Code } from "../../ui/code.tsx";
import { Facts, Pill } from "../../ui/parts.tsx";
import { clockWords, exactWords } from "../../ui/words.ts";
import { endWords, lookOf, standingAt } from "../inbox/passcode-status.ts";
import { stateAt } from "../sessions/session-words.ts";
import { profileLines, type UserState } from "./film.ts";
import type { StoryStep } from "./stories.ts";

const MOST_SESSIONS = 3;
const MOST_CHARACTERS = 160;

interface FilmStateProps {
  readonly step: StoryStep;
  /** Undefined: unknown. */
  readonly state: UserState | undefined;
  readonly app: App | undefined;
  /** An action. */
  readonly children: ReactNode;
}

const CodeThen = ({
  passcode,
  app,
  state,
  nowMs,
}: Pick<FilmStateProps, "app" | "state"> & { passcode: Passcode; nowMs: number }) => {
  const standing = standingAt(passcode, nowMs, state?.profile);
  const left =
    effectiveSettings(app?.settings ?? {}).passcode.maxAttempts - passcode.attempts - (passcode.earlierAttempts ?? 0);
  const may = `Valid until ${clockWords(passcode.expiresAt)} · ${many(Math.max(0, left), "attempt")} left`;
  return (
    <>
      <Code code={passcode.code} look={lookOf(standing)} /> {standing === "active" ? may : endWords(standing) || "Used"}
    </>
  );
};

/** What was there right after a step: code, sessions, profile, and what the app was answered. */
export const FilmState = ({ step: { row, item, at, sessionId, requestId }, state, app, children }: FilmStateProps) => {
  const { hrefTo } = useAddress();
  const nowMs = Date.parse(item?.at ?? at ?? "");
  const isNew = (id: string): boolean => item?.changes.some((one) => one.id === id && one.before === null) ?? false;
  // The newest of repeated calls.
  const linked = row?.id ?? requestId;
  const body = row?.response.body ?? "";
  const answer =
    row && `${row.status || "none"} ${body.slice(0, MOST_CHARACTERS)}${body.length > MOST_CHARACTERS ? "…" : ""}`;
  const sessions = state?.sessions.map((session) => {
    const is = stateAt(session, nowMs);
    return (
      <div key={session.id}>
        {sentence(is)}
        {is === "active" && ` until ${exactWords(session.expiresAt)}`} {isNew(session.id) && <Pill warn>new</Pill>}
      </div>
    );
  });
  const none = <span className="dim">none</span>;
  return (
    <Box w="100%" pt={4} style={{ overflowWrap: "anywhere" }}>
      <Group gap={12} mb={8}>
        {children}
        {linked && (
          <Link className="link small" href={hrefTo("requests", { id: linked })}>
            View request
          </Link>
        )}
        {sessionId && (
          <Link className="link small" href={hrefTo("sessions", { id: sessionId })}>
            View session
          </Link>
        )}
      </Group>
      {state === undefined ? (
        <p className="small">The state after this step is no longer available.</p>
      ) : (
        <Facts
          names={64}
          of={{
            Code: state.passcode ? <CodeThen {...{ app, state, nowMs }} passcode={state.passcode} /> : none,
            Sessions: sessions?.length ? (
              <>
                {sessions.slice(-MOST_SESSIONS)}
                {sessions.length > MOST_SESSIONS && `and ${sessions.length - MOST_SESSIONS} more`}
              </>
            ) : (
              none
            ),
            Response: answer && <bdi className="mono">{answer}</bdi>,
            Profile: state.profile
              ? profileLines(state.profile, item).map(({ field, is, was }) => (
                  <div key={field}>
                    <span className="dim">{field}</span> <bdi>{is}</bdi>{" "}
                    {was !== undefined && <Pill warn>was {was === "null" ? "empty" : was}</Pill>}
                  </div>
                ))
              : none,
          }}
        />
      )}
    </Box>
  );
};
