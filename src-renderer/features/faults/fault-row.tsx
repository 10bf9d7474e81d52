import { Button } from "@mantine/core";
import { Link } from "wouter";
import { type Fault, isOn } from "../../api/faults.ts";
import type { RowFocus } from "../../ui/record-list.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import rows from "../../ui/row.module.css";
import { StatusMark } from "../../ui/status-mark.tsx";
import { counterWords, effectWords, matchWords } from "./fault-words.ts";
import classes from "./faults.module.css";

/** Whether a fault is on. */
export const FaultState = ({ fault }: { readonly fault: Fault }) =>
  isOn(fault) ? <StatusMark tone="warn">On</StatusMark> : <StatusMark tone="quiet">Used up</StatusMark>;

interface FaultRowProps {
  readonly fault: Fault;
  readonly nameOf: (appId: string) => string;
  readonly href: string;
  readonly selected: boolean;
  readonly focus: RowFocus;
  readonly onTurnOff: () => void;
}

/** One line of the faults. */
export const FaultRow = ({ fault, nameOf, href, selected, focus, onTurnOff }: FaultRowProps) => (
  <div className={`${rows.row} ${classes.row}`} data-ended={!isOn(fault) || undefined}>
    <div className={rows.cell}>
      <Link {...focus} href={href} className={rows.link} aria-current={selected ? "true" : undefined}>
        {effectWords(fault.effect)}
      </Link>
      <bdi className={rows.small}>{matchWords(fault.match, nameOf)}</bdi>
    </div>
    <div className={classes.counter}>{counterWords(fault)}</div>
    <div className={classes.quiet}>
      <FaultState fault={fault} />
    </div>
    <div className={`${rows.time} ${classes.time}`}>
      <RelativeTime instant={fault.createdAt} appId={fault.match.appId ?? null} />
    </div>
    <Button
      className={classes.off ?? ""}
      tabIndex={focus.tabIndex}
      aria-label={`${isOn(fault) ? "Turn off" : "Remove"}: ${effectWords(fault.effect)}`}
      onClick={onTurnOff}
    >
      {isOn(fault) ? "Turn off" : "Remove"}
    </Button>
  </div>
);
