import { memo } from "react";
import type { Passcode } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { nameOf, useProfile } from "../../api/queries.ts";
import { Code, useCopy } from "../../ui/code.tsx";
import { Cell, Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { ClockTime, Countdown, StatusMark, useNow, useRealNow } from "../../ui/parts.tsx";
import { leftWords } from "../../ui/words.ts";
import { LostCode } from "../faults/lost-code.tsx";
import classes from "./inbox.module.css";
import { lookOf, STANDING_WORDS, standingAt, whatHappened } from "./passcode-status.ts";

/** When a delayed message arrives. */
export const Arrival = ({ arrivesAt = "" }: Passcode) => {
  const left = Math.max(0, Date.parse(arrivesAt) - useRealNow());
  return <StatusMark tone="warn">{`Arrives in ${leftWords(left)}`}</StatusMark>;
};

/** The status of a passcode: the remaining time, or how it ended. */
export const PasscodeState = ({ passcode }: { readonly passcode: Passcode }) => {
  const nowMs = useNow(passcode.appId);
  const standing = standingAt(passcode, nowMs, useProfile(passcode.appId, passcode.userId));
  if (standing === "pending") return <Arrival {...passcode} />;
  if (standing === "active") return <Countdown nowMs={nowMs} {...passcode} />;
  const [tone, word] = STANDING_WORDS[standing];
  return <StatusMark tone={tone}>{word}</StatusMark>;
};

const CodeButton = ({ code, ...look }: Parameters<typeof Code>[0]) => {
  const { copied, copy } = useCopy();
  return (
    <button
      type="button"
      className={classes["code"]}
      tabIndex={-1}
      aria-label={`Copy code ${code}`}
      title="Copy"
      onClick={() => copy(code, "Code")}
    >
      <Code code={code} {...look} />
      <svg width="14" height="14" viewBox="0 0 16 16" fill="none" stroke="var(--sd-dim)" aria-hidden="true">
        <path d={copied ? "m3 8.5 3.5 3.5L13 4.5" : "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"} />
      </svg>
    </button>
  );
};

interface PasscodeRowProps extends RowPlace {
  readonly passcode: Passcode;
  /** The app's name, if several apps are shown. */
  readonly appName: string | undefined;
}

const PlainRow = ({ passcode, appName, ...place }: PasscodeRowProps) => {
  const { appId, userId, code, to, createdAt } = passcode;
  const profile = useProfile(appId, userId);
  const standing = standingAt(passcode, useNow(appId), profile);
  return (
    <Row>
      {standing === "lost" || standing === "pending" ? (
        <LostCode passcode={passcode} className={classes["code"] ?? ""} />
      ) : (
        <CodeButton code={code} look={lookOf(standing)} />
      )}
      <Cell
        sub={
          <span data-wide>
            <span className="mono">{recipientText(to)}</span>
            {appName !== undefined && " · "}
            <bdi>{appName}</bdi>
          </span>
        }
      >
        <RowLink {...place}>
          <bdi>{nameOf(profile)}</bdi>
          <span className="spoken">
            , {standing} code {code}
          </span>
        </RowLink>
      </Cell>
      <Cell under>
        <PasscodeState passcode={passcode} />
      </Cell>
      <Cell wide>
        <span className="small">{whatHappened(passcode, standing)}</span>
      </Cell>
      <Cell end>
        <ClockTime at={createdAt} />
      </Cell>
    </Row>
  );
};

/** A row of the inbox. The whole row links to the passcode; its code is a copy button. Memoised. */
export const PasscodeRow = memo(
  PlainRow,
  (a, b) =>
    a.passcode === b.passcode &&
    a.href === b.href &&
    a.selected === b.selected &&
    a.appName === b.appName &&
    a.focus.tabIndex === b.focus.tabIndex,
);
