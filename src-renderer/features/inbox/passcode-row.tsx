import { useQuery } from "@tanstack/react-query";
import { memo } from "react";
import { Link } from "wouter";
import type { Passcode } from "#client/index.ts";
import { nameOf, useProfile } from "../../api/profile.ts";
import { faultList } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { Code } from "../../ui/code.tsx";
import { useCopy } from "../../ui/copy.tsx";
import type { RowPlace } from "../../ui/list-screen.tsx";
import { ClockTime, useNow } from "../../ui/now.tsx";
import { recipientText } from "../../ui/phone.ts";
import { Cell, Row, RowLink } from "../../ui/row.tsx";
import { Countdown, StatusMark } from "../../ui/status-mark.tsx";
import classes from "./inbox.module.css";
import { lookOf, STANDING_WORDS, type Standing, standingAt, whatHappened } from "./passcode-status.ts";

interface StateProps {
  readonly passcode: Passcode;
  readonly standing: Standing;
  readonly nowMs: number;
}

const State = ({ passcode, standing, nowMs }: StateProps) => {
  if (standing === "active") return <Countdown nowMs={nowMs} {...passcode} />;
  const [tone, word] = STANDING_WORDS[standing];
  return <StatusMark tone={tone}>{word}</StatusMark>;
};

/** The status of a passcode: what is left, or what it came to. */
export const PasscodeState = ({ passcode }: { readonly passcode: Passcode }) => {
  const nowMs = useNow(passcode.appId);
  const standing = standingAt(passcode, nowMs, useProfile(passcode.appId, passcode.userId));
  return <State passcode={passcode} standing={standing} nowMs={nowMs} />;
};

/** The fault that kept a code from arriving, in the place of the code. */
const LostCode = ({ appId, to }: Passcode) => {
  const { hrefTo } = useAddress();
  const faults = useQuery(faultList.query(null)).data?.items ?? [];
  const fault = faults.find(
    ({ effect, match }) =>
      effect.undelivered && (match.appId ?? appId) === appId && (match.to ?? to).toLowerCase() === to.toLowerCase(),
  );
  return (
    <Link className={classes["code"]} tabIndex={-1} href={hrefTo("faults", { id: fault?.id ?? null })}>
      Fault
    </Link>
  );
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
  /** The app's name, where more than one app is shown. */
  readonly appName: string | undefined;
}

const PlainRow = ({ passcode, appName, ...place }: PasscodeRowProps) => {
  const profile = useProfile(passcode.appId, passcode.userId);
  const nowMs = useNow(passcode.appId);
  const standing = standingAt(passcode, nowMs, profile);
  const { code, to, createdAt } = passcode;
  return (
    <Row>
      {standing === "lost" ? <LostCode {...passcode} /> : <CodeButton code={code} look={lookOf(standing)} />}
      <Cell
        sub={
          <span data-wide>
            <span className="mono">{recipientText(to)}</span> {appName !== undefined && <bdi>{appName}</bdi>}
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
        <State passcode={passcode} standing={standing} nowMs={nowMs} />
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

/** One line of the inbox. All of it is a link to the code; the code copies itself besides. Drawn anew only when it changes. */
export const PasscodeRow = memo(
  PlainRow,
  (a, b) =>
    a.passcode === b.passcode &&
    a.href === b.href &&
    a.selected === b.selected &&
    a.appName === b.appName &&
    a.focus.tabIndex === b.focus.tabIndex,
);
