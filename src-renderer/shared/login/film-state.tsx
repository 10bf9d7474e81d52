import type { App, Passcode } from "#client/index.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { many, sentence } from "#contract/words/words.ts";
import { useApps } from "../../api/queries.ts";
import { Code } from "../../ui/code.tsx";
import { Facts, Pill } from "../../ui/parts.tsx";
import { clockWords, exactWords } from "../../ui/words.ts";
import { stateAt } from "../session/session-words.ts";
import { profileLines, type UserState } from "./film.ts";
import { codeStandingOf, isOpen, lookOf } from "./standing.ts";
import type { OfStep } from "./stories.ts";
import { useFilm } from "./use-film.ts";

const MOST_SESSIONS = 3;
const MOST_CHARACTERS = 160;

interface CodeThenProps {
  readonly passcode: Passcode;
  readonly app: App | undefined;
  readonly state: UserState;
  readonly nowMs: number;
}

const CodeThen = ({ passcode, app, state, nowMs }: CodeThenProps) => {
  const standing = codeStandingOf(passcode, nowMs, state.profile);
  const left =
    effectiveSettings(app?.settings ?? {}).passcode.maxAttempts - passcode.attempts - (passcode.earlierAttempts ?? 0);
  const may = `Valid until ${clockWords(passcode.expiresAt)} · ${many(Math.max(0, left), "attempt")} left`;
  return (
    // Small text needs more contrast than a large code.
    <span style={{ "--spent": "var(--sd-dim)" }}>
      <Code code={passcode.code} look={lookOf(standing)} /> {isOpen(standing) ? may : standing.word}
    </span>
  );
};

/** What was there right after a step: code, sessions, profile, and what the app was answered. */
export const FilmState = ({ story, step }: OfStep) => {
  const { row, item, at } = step;
  const app = useApps().appOf(story.appId);
  const state = useFilm(story).after(step);
  const nowMs = Date.parse(item?.at ?? at ?? "");
  const isNew = (id: string): boolean => item?.changes.some((one) => one.id === id && one.before === null) ?? false;
  if (state === undefined) return <p className="small">The state after this step is no longer available.</p>;
  const body = row?.response.body ?? "";
  const answer =
    row && `${row.status || "none"} ${body.slice(0, MOST_CHARACTERS)}${body.length > MOST_CHARACTERS ? "…" : ""}`;
  const sessions = state.sessions.map((session) => {
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
    <Facts
      names={64}
      of={{
        Code: state.passcode ? <CodeThen {...{ app, state, nowMs }} passcode={state.passcode} /> : none,
        Sessions:
          sessions.length > 0 ? (
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
  );
};
