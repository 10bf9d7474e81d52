/** The login on the phone, step by step in words. */
import { useQuery } from "@tanstack/react-query";
import type { Passcode, RequestRow } from "#client/index.ts";
import { groups } from "#contract/words/code-words.ts";
import { type StoryStep, stepsOf, storiesOf } from "../../shared/login/stories.ts";
import { TONES } from "../../ui/tones.ts";
import { clockWords } from "../../ui/words.ts";
import { ownRequests, usePresent } from "./acts.ts";
import classes from "./present.module.css";

/** As many as fit on a tall screen; those that do not fit are left out whole. */
const MOST = 8;
const NONE: readonly RequestRow[] = [];

const wordsOf = ({ row, result, typed }: StoryStep, who: string, isLost: boolean): string => {
  const isDone = row !== undefined && row.status > 0 && row.status < 400;
  if (typed !== undefined) return `${who} enters ${groups(typed).join(" ")}: ${result}`;
  if (isDone && row.status !== 202) return `${who} signs up`;
  if (row === undefined || (isDone && !isLost)) return `${who} requests a code`;
  return `${who} requests a code: ${isLost ? "not delivered" : row.status === 0 ? "no response" : "refused"}`;
};

interface LineProps {
  readonly at: string;
  readonly color: string;
  readonly words: string;
  /** The request and its response, or details. */
  readonly more: string;
  /** How it stands now, below the steps. */
  readonly isNow?: true;
}

const Line = ({ at, color, words, more, isNow }: LineProps) => (
  <li style={{ "--tone": color }} data-now={isNow}>
    <time className="mono dim" dateTime={at}>
      {at === "" ? "" : clockWords(at)}
    </time>
    <span className={classes["dot"]} />
    <p>
      <strong className="cut">{words}</strong>
      <span className={`cut ${isNow ? "" : "mono "}${classes["wire"]}`} dir="ltr">
        {more}
      </span>
    </p>
  </li>
);

const StepLine = ({ step, who, isLost }: { readonly step: StoryStep; readonly who: string; isLost: boolean }) => {
  const { at, tone, row } = step;
  // A code that was sent, whose row is still on its way.
  const { method, path, status } = row ?? { method: "POST", path: "/v1/users/session", status: 202 };
  const [color] = TONES[isLost ? "warn" : tone === "info" ? "ok" : tone];
  return (
    <Line
      at={at ?? ""}
      color={color}
      words={wordsOf(step, who, isLost)}
      more={`${method} ${path.split("?")[0]} → ${status || "connection closed"}`}
    />
  );
};

interface LoginStepsProps {
  readonly appId: string;
  /** The user's first name. */
  readonly who: string;
  /** The phone's own. */
  readonly passcodes: readonly Passcode[];
  /** How it stands now, and details. */
  readonly now: readonly [words: string, more: string] | null;
}

/** The newest steps of the phone's newest login that fit, and what was pressed; in the document the newest is first. */
export const LoginSteps = ({ appId, who, passcodes, now }: LoginStepsProps) => {
  const { own, since, moves } = usePresent();
  // A call without a response has no id that the phone could know.
  const rows = (useQuery(ownRequests(appId)).data?.items ?? NONE).filter(
    ({ id, status, at }) => own.includes(id) || (status === 0 && at > since),
  );
  const [story] = storiesOf(rows, passcodes);
  const steps = story === undefined ? [] : stepsOf(story);
  const isLost = ({ requestId }: StoryStep): boolean =>
    passcodes.some((code) => code.requestId === requestId && code.delivery === "failed");
  const lines = [
    ...steps.map((step) => ({
      at: step.at ?? "",
      line: <StepLine key={step.key} step={step} who={who} isLost={isLost(step)} />,
    })),
    ...moves
      .filter((at) => at >= (steps[0]?.at ?? ""))
      .map((at) => ({
        at,
        line: <Line key={at} at={at} color={TONES.info[0]} words="The clock moves on 11 minutes" more="" />,
      })),
  ].sort((a, b) => a.at.localeCompare(b.at));
  return (
    <ol className={classes["steps"]} aria-label="This login" reversed>
      {now !== null && <Line at="" color="transparent" words={now[0]} more={now[1]} isNow />}
      {lines
        .slice(-MOST)
        .toReversed()
        .map(({ line }) => line)}
    </ol>
  );
};
