import { Link } from "wouter";
import { nameOf, useProfile } from "../../api/profile.ts";
import type { Passcode } from "../../api/records.ts";
import { useCopy } from "../../ui/clipboard.ts";
import { Code } from "../../ui/code.tsx";
import { Countdown } from "../../ui/countdown.tsx";
import { useNow } from "../../ui/now.ts";
import { recipientText } from "../../ui/phone.ts";
import type { RowFocus } from "../../ui/record-list.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import rows from "../../ui/row.module.css";
import { StatusMark } from "../../ui/status-mark.tsx";
import classes from "./passcode-row.module.css";
import { lookOf, statusAt, statusWords } from "./passcode-status.ts";

/** The status of a passcode: what is left, or what it came to. */
export const PasscodeState = ({ passcode }: { readonly passcode: Passcode }) => {
  const now = useNow(passcode.appId);
  const status = statusAt(passcode, now);
  const words = statusWords(passcode, status);
  if (passcode.delivery === "failed") return <StatusMark tone="bad">Not delivered</StatusMark>;
  if (status !== "active") return <StatusMark tone={status === "exhausted" ? "bad" : "quiet"}>{words}</StatusMark>;
  return (
    <span className={classes.active}>
      <Countdown nowMs={now} createdAt={passcode.createdAt} expiresAt={passcode.expiresAt} />
      {words !== "" && <span className={classes.tries}>{words}</span>}
    </span>
  );
};

interface PasscodeRowProps {
  readonly passcode: Passcode;
  readonly href: string;
  readonly selected: boolean;
  readonly focus: RowFocus;
  /** The app's name, where more than one app is shown. */
  readonly appName: string | undefined;
}

/** One line of the inbox. All of it is a link to the detail; the code copies itself besides. */
export const PasscodeRow = ({ passcode, href, selected, focus, appName }: PasscodeRowProps) => {
  const { copied, copy } = useCopy();
  const profile = useProfile(passcode.appId, passcode.userId);
  const status = statusAt(passcode, useNow(passcode.appId));
  return (
    <div className={`${rows.row} ${classes.row}`}>
      <button
        type="button"
        className={classes.code}
        tabIndex={-1}
        aria-label={`Copy code ${passcode.code}`}
        title="Copy"
        onClick={() => copy(passcode.code, "Code")}
      >
        <Code code={passcode.code} look={lookOf(status)} />
        {copied && <span className={classes.copied}>Copied</span>}
      </button>
      <div className={rows.cell}>
        <Link {...focus} href={href} className={rows.link} aria-current={selected ? "true" : undefined}>
          <bdi>{nameOf(profile)}</bdi>
          <span className="spoken">
            , {status} code {passcode.code}
          </span>
        </Link>
        <span className={classes.to}>
          <span className="mono">{recipientText(passcode.to)}</span>
          {appName !== undefined && <bdi className={classes.app}>{appName}</bdi>}
        </span>
      </div>
      <div className={classes.state}>
        <PasscodeState passcode={passcode} />
      </div>
      <div className={`${rows.time} ${classes.time}`}>
        <RelativeTime instant={passcode.createdAt} appId={passcode.appId} />
      </div>
    </div>
  );
};
