/** The login on the phone, step by step in words. */
import { useQuery } from "@tanstack/react-query";
import type { Passcode, RequestRow } from "#client/index.ts";
import { statusPhrase } from "#contract/service/problems.ts";
import { groups } from "#contract/words/code-words.ts";
import { type StoryStep, stepsOf, storiesOf } from "../../shared/login/stories.ts";
import { TONES, type Tone } from "../../ui/tones.ts";
import { clockWords } from "../../ui/words.ts";
import { ownRequests } from "./acts.ts";
import classes from "./present.module.css";
import { usePresent } from "./present-store.ts";

/** One line. */
interface Line {
  readonly key: string;
  readonly at: string;
  readonly tone: Tone;
  readonly words: string;
  /** The request and its response, or details. */
  readonly more: string;
}

/** As many as fit on a tall screen; those that do not fit are left out whole. */
const MOST = 8;
const NONE: readonly RequestRow[] = [];

/** Phrases of responses that are no refusal of the service. */
const PHRASES: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  503: "Service Unavailable",
};

const wordsOf = ({ row, result, typed }: StoryStep, who: string, isLost: boolean): string => {
  const isDone = row !== undefined && row.status > 0 && row.status < 400;
  if (typed !== undefined) return `${who} enters ${groups(typed).join(" ")}: ${result}`;
  if (isDone && row.status !== 202) return `${who} signs up`;
  if (row === undefined || (isDone && !isLost)) return `${who} requests a code`;
  return `${who} requests a code: ${isLost ? "not delivered" : row.status === 0 ? "no response" : "refused"}`;
};

const lineOf = (step: StoryStep, who: string, passcodes: readonly Passcode[]): Line => {
  const { key, at, tone, row } = step;
  const isLost = passcodes.some(({ requestId, delivery }) => requestId === step.requestId && delivery === "failed");
  // A code that was sent, whose row is still on its way.
  const { method, path, status } = row ?? { method: "POST", path: "/v1/users/session", status: 202 };
  const phrase = status === 0 ? "connection closed" : `${status} ${PHRASES[status] ?? statusPhrase(status)}`;
  const more = `${method} ${path.split("?")[0]} → ${phrase}`;
  const shown = isLost ? "warn" : tone === "info" ? "ok" : tone;
  return { key, at: at ?? "", tone: shown, words: wordsOf(step, who, isLost), more };
};

/** @param who the user's first name. @returns the lines of the phone's newest login and of what was pressed, oldest first. */
export const useLines = (appId: string, who: string, passcodes: readonly Passcode[]): readonly Line[] => {
  const { own, since, moves } = usePresent();
  // A call without a response has no id that the phone could know.
  const rows = (useQuery(ownRequests(appId)).data?.items ?? NONE).filter(
    ({ id, status, at }) => own.includes(id) || (status === 0 && at > since),
  );
  const [story] = storiesOf(rows, passcodes);
  const steps = story === undefined ? [] : stepsOf(story).map((step) => lineOf(step, who, passcodes));
  const begun = steps[0]?.at ?? "";
  const moved = moves
    .filter((at) => at >= begun)
    .map((at): Line => ({ key: at, at, tone: "info", words: "The clock moves on 11 minutes", more: "" }));
  return [...steps, ...moved].sort((a, b) => a.at.localeCompare(b.at));
};

interface LoginStepsProps {
  readonly lines: readonly Line[];
  /** How it stands now, and details. */
  readonly now: readonly [words: string, more: string] | null;
}

/** The newest steps that fit; in the document the newest is first. */
export const LoginSteps = ({ lines, now }: LoginStepsProps) => (
  <ol className={classes["steps"]} aria-label="This login" reversed>
    {now !== null && (
      <li data-now>
        <span />
        <span className={classes["dot"]} />
        <p>
          <strong className="cut">{now[0]}</strong>
          <span className={`cut ${classes["wire"]}`}>{now[1]}</span>
        </p>
      </li>
    )}
    {lines
      .slice(-MOST)
      .toReversed()
      .map(({ key, at, tone, words, more }) => (
        <li key={key} style={{ "--tone": TONES[tone][0] }}>
          <time className="mono" dateTime={at}>
            {at === "" ? "" : clockWords(at)}
          </time>
          <span className={classes["dot"]} />
          <p>
            <strong className="cut">{words}</strong>
            <span className={`cut mono ${classes["wire"]}`} dir="ltr">
              {more}
            </span>
          </p>
        </li>
      ))}
  </ol>
);
