import { memo } from "react";
import type { Passcode } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { nameOf, useProfile } from "../../api/queries.ts";
import { LostCode } from "../../shared/fault/lost-code.tsx";
import { PasscodeState } from "../../shared/login/passcode-state.tsx";
import { lookOf, standingAt, whatHappened } from "../../shared/login/passcode-status.ts";
import { Code, useCopy } from "../../ui/code.tsx";
import { Cell, Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { ClockTime, useNow } from "../../ui/parts.tsx";
import classes from "./inbox.module.css";

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
