import { Box, Group, UnstyledButton } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { RequestRow } from "#client/index.ts";
import { CHANNELS } from "#contract/service/strategies.ts";
import { useAddress } from "../../ui/address.ts";
import { TONES } from "../../ui/tones.ts";
import { useLasting } from "../../ui/use-lasting.ts";
import { clockWords, exactWords } from "../../ui/words.ts";
import { FailNextButton } from "../fault/fail-next.tsx";
import { FaultLink } from "../fault/fault-link.tsx";
import { CodeMessage } from "./code-message.tsx";
import { FilmState } from "./film-state.tsx";
import classes from "./login.module.css";
import { RewindButton } from "./rewind-button.tsx";
import { isWrongCode, type OfStep, type Story, type StoryStep } from "./stories.ts";
import { digitsOf } from "./typed-digits.ts";
import { useFilmSteps } from "./use-film.ts";

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

/** How long the row of a code may be on its way after the code, in milliseconds. */
const ON_ITS_WAY_MS = 1_500;

/** The result of a step. That a code is not in the log is said once its row has had the time to come. */
const Result = ({ step: { tone, result, row, isUnlogged = false } }: { readonly step: StoryStep }) => {
  const isMissing = useLasting(isUnlogged, ON_ITS_WAY_MS);
  if (row === undefined) return <span className="dim">{!isUnlogged || isMissing ? result : ""}</span>;
  const { status, carriedOut } = row;
  // Plain events are as quiet as finished ones.
  return (
    <span
      className="mono small"
      title={result}
      style={{ color: TONES[tone === "info" || tone === "ok" ? "quiet" : tone][1] }}
    >
      {status === 0 ? (carriedOut ? "lost" : "none") : status}
      <span className="spoken">, {result}</span>
    </span>
  );
};

/** @returns what a step did: a code that was sent is said with its channel. */
const titleOf = (story: Story, step: StoryStep): string => {
  const code = codeSentIn(story, step);
  return code === undefined || code.requestId === null ? step.title : `Code sent by ${CHANNELS[code.channel].word}`;
};

interface StoryStepsProps {
  readonly story: Story;
  /** Shows what was there after the last step, until another has the focus. */
  readonly open?: boolean;
  /** Explains why a call failed. */
  readonly reasonOf?: (row: RequestRow) => string;
  /** A login from a file, which this Stagedoor does not have: there is nothing to open or to repeat. */
  readonly elsewhere?: boolean;
}

/** @returns the code that a step sent. */
const codeSentIn = ({ passcodes }: Story, { key, requestId, typed }: StoryStep) =>
  typed === undefined ? passcodes.find((code) => code.id === key || code.requestId === (requestId ?? "")) : undefined;

/** What can be done and looked at of a step. */
const StepDetail = ({ story, step, elsewhere }: OfStep & { readonly elsewhere: boolean }) => {
  const { row, sessionId, requestId } = step;
  const { hrefTo } = useAddress();
  // The newest of repeated calls.
  const linked = row?.id ?? requestId;
  const passcode = codeSentIn(story, step);
  return (
    <Box w="100%" pt={4} style={{ overflowWrap: "anywhere" }}>
      {!elsewhere && (
        <Group gap={12} mb={8}>
          <RewindButton story={story} step={step} />
          {row && <FailNextButton row={row} />}
          {linked && (
            <Link className="link small" href={hrefTo("requests", { id: linked })}>
              View request
            </Link>
          )}
          {sessionId && (
            <Link className="link small" href={hrefTo("users/sessions", { id: sessionId })}>
              View session
            </Link>
          )}
        </Group>
      )}
      {passcode && <CodeMessage passcode={passcode} />}
      <FilmState story={story} step={step} />
    </Box>
  );
};

/** A login, step by step; arrow keys go from one to the next. */
export const StorySteps = ({ story, open = false, reasonOf, elsewhere = false }: StoryStepsProps) => {
  const steps = useFilmSteps(story);
  const list = useRef<HTMLOListElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const chosen = steps.find(({ key }) => key === focused);
  const current = chosen ?? steps.at(-1);
  const shown = chosen ?? (open ? current : undefined);
  useEffect(() => {
    const expanded = list.current?.querySelector("[aria-expanded=true]")?.parentElement;
    if (focused !== null) expanded?.scrollIntoView({ block: "nearest" });
  }, [focused]);
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (by === undefined || current === undefined) return;
    const buttons = list.current?.querySelectorAll<HTMLElement>(`.${classes["step"]}`);
    buttons?.[Math.min(Math.max(steps.indexOf(current) + by, 0), steps.length - 1)]?.focus();
    // The list next to it has the same keys.
    event.preventDefault();
  };
  return (
    <ol ref={list} className={classes["film"]} onKeyDown={move}>
      {steps.map((step) => {
        const { key, at, typed, code, tone, times, row, note } = step;
        const isShown = step === shown;
        const failed = row !== undefined && (row.status >= 400 || row.status === 0) && !isWrongCode(row);
        return (
          <li key={key}>
            <UnstyledButton
              className={classes["step"] ?? ""}
              aria-expanded={isShown}
              tabIndex={step === current ? 0 : -1}
              onFocus={() => setFocused(key)}
            >
              <time className="mono small" dateTime={at ?? undefined} title={at === null ? undefined : exactWords(at)}>
                {at === null ? "" : clockWords(at)}
              </time>
              <span>
                {typed === undefined ? (
                  titleOf(story, step)
                ) : (
                  <>
                    Entered <Digits typed={typed} code={tone === "bad" ? code : undefined} />
                  </>
                )}
                {times > 1 && <strong className="warn"> ×{times}</strong>}
              </span>
              <Result step={step} />
            </UnstyledButton>
            <div className={classes["beside"]}>
              {row?.fault && <FaultLink id={row.fault} plain={elsewhere} />}
              {note && <bdi className="small">{note}</bdi>}
              {reasonOf && failed && !row.fault && <bdi className="small">{reasonOf(row)}</bdi>}
              {isShown && <StepDetail story={story} step={step} elsewhere={elsewhere} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
};
