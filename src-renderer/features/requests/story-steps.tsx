import { Link } from "wouter";
import type { RequestRow } from "#client/index.ts";
import { useAddress } from "../../ui/address.ts";
import { clockWords, exactWords } from "../../ui/time-words.ts";
import { FaultLink } from "./fault-link.tsx";
import { digitsOf, isWrongCode, type Step } from "./stories.ts";
import classes from "./story-steps.module.css";

/** A code as it was typed, digit by digit against the right one. @param code undefined: not known. */
const Digits = ({ typed, code }: { readonly typed: string; readonly code: string | undefined }) => {
  const digits = digitsOf(typed, code);
  const wrong = digits.flatMap(({ wrong: isWrong }, at) => (isWrong ? [at + 1] : []));
  return (
    <span className={`mono ${classes["digits"]}`}>
      <bdi className="spoken">{typed === "" ? "(empty)" : typed}</bdi>
      {wrong.length > 0 && <span className="spoken">, wrong at digit {wrong.join(", ")}</span>}
      <span aria-hidden="true">
        {digits.map(({ digit, wrong: isWrong }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the digits of one code never move
          <span key={at} data-wrong={isWrong || undefined}>
            {digit}
          </span>
        ))}
      </span>
    </span>
  );
};

interface StoryStepsProps {
  readonly steps: readonly Step[];
  /** The right code. */
  readonly code: string | undefined;
  /** How it stands, below the last step. */
  readonly end: string;
  /** Says why a call failed. */
  readonly reasonOf?: (row: RequestRow) => string;
}

/** A login, step by step. */
export const StorySteps = ({ steps, code, end, reasonOf }: StoryStepsProps) => {
  const { hrefWith } = useAddress();
  const to = (screen: "requests" | "sessions", id: string): string => hrefWith({ screen, id, show: null, q: "" });
  return (
    <ol>
      {steps.map(({ key, at, title, typed, tone, result, times, row, sessionId }) => {
        const what = typed === undefined ? title : <Digits typed={typed} code={tone === "bad" ? code : undefined} />;
        const failed = row !== undefined && (row.status >= 400 || row.status === 0) && !isWrongCode(row);
        return (
          <li key={key} className={classes["step"]}>
            <time className="mono small" dateTime={at ?? undefined} title={at === null ? undefined : exactWords(at)}>
              {at === null ? "" : clockWords(at)}
            </time>
            <span>
              {row === undefined ? what : <Link href={to("requests", row.id)}>{what}</Link>}
              {times > 1 && <strong className="warn"> ×{times}</strong>}
            </span>
            <span className={classes["result"]} data-tone={tone}>
              {sessionId === undefined ? (
                result
              ) : (
                <Link className="link" href={to("sessions", sessionId)}>
                  {result}
                </Link>
              )}
            </span>
            {row?.fault && (
              <span>
                <FaultLink id={row.fault} />
              </span>
            )}
            {reasonOf && failed && !row.fault && <bdi className="small">{reasonOf(row)}</bdi>}
          </li>
        );
      })}
      {end !== "" && (
        <li className={classes["step"]}>
          <span />
          <span className="dim">{end}</span>
        </li>
      )}
    </ol>
  );
};
