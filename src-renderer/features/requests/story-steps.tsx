import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Fault, RequestRow } from "#client/index.ts";
import { faultList } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { TONES } from "../../ui/tones.ts";
import { clockWords, exactWords } from "../../ui/words.ts";
import { PRESETS } from "../faults/fault-presets.ts";
import { effectWords } from "../faults/fault-words.ts";
import classes from "./requests.module.css";
import { digitsOf, isWrongCode, type StoryStep } from "./stories.ts";

const faultName = ({ effect, times }: Fault): string => {
  const wanted = JSON.stringify(effect);
  const preset = PRESETS.find(({ fault }) => fault.times === times && JSON.stringify(fault.effect) === wanted);
  return preset?.title ?? effectWords(effect);
};

/** The name of the fault that applied to a request. @param quiet not in the tab order. */
export const FaultLink = ({ id, quiet = false }: { readonly id: string; readonly quiet?: boolean }) => {
  const { hrefTo } = useAddress();
  const fault = useQuery(faultList.query(null)).data?.items.find((one) => one.id === id);
  if (fault === undefined) return <span className="warn">Fault (turned off since)</span>;
  return (
    <Link className="warn link" href={hrefTo("faults", { id })} tabIndex={quiet ? -1 : 0}>
      Fault: {faultName(fault)}
    </Link>
  );
};

/** A typed code, compared with the correct one digit by digit. @param code undefined if unknown. */
const Digits = ({ typed, code }: { readonly typed: string; readonly code: string | undefined }) => {
  const digits = digitsOf(typed, code);
  const wrong = digits.flatMap((digit, at) => (digit.wrong ? [at + 1] : []));
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
  readonly steps: readonly StoryStep[];
  readonly code: string | undefined;
  /** The state below the last step. */
  readonly end: string;
  /** Explains why a call failed. */
  readonly reasonOf?: (row: RequestRow) => string;
}

/** A login, step by step. */
export const StorySteps = ({ steps, code, end, reasonOf }: StoryStepsProps) => {
  const { hrefTo } = useAddress();
  return (
    <ol>
      {steps.map(({ key, at, title, typed, tone, result, times, row, sessionId, note }) => {
        const what = typed === undefined ? title : <Digits typed={typed} code={tone === "bad" ? code : undefined} />;
        const failed = row !== undefined && (row.status >= 400 || row.status === 0) && !isWrongCode(row);
        return (
          <li key={key} className={classes["step"]}>
            <time className="mono small" dateTime={at ?? undefined} title={at === null ? undefined : exactWords(at)}>
              {at === null ? "" : clockWords(at)}
            </time>
            <span>
              {row === undefined ? what : <Link href={hrefTo("requests", { id: row.id })}>{what}</Link>}
              {times > 1 && <strong className="warn"> ×{times}</strong>}
            </span>
            {/* Plain events are as quiet as finished ones. */}
            <span style={{ color: TONES[tone === "info" ? "quiet" : tone][1] }}>
              {sessionId === undefined ? (
                result
              ) : (
                <Link className="link" href={hrefTo("sessions", { id: sessionId })}>
                  {result}
                </Link>
              )}
            </span>
            {row?.fault && (
              <span>
                <FaultLink id={row.fault} />
              </span>
            )}
            {note && <bdi className="small">{note}</bdi>}
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
