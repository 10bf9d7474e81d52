import type { KeyboardEvent } from "react";
import { Link } from "wouter";
import { cellText, type Explored, type ExploredRun, KIND_WORDS, runAt } from "#contract/documents/explorations.ts";
import { useAddress } from "../../ui/address.ts";
import classes from "./exploration.module.css";
import { cellId, RESULTS } from "./exploration.ts";

interface CellProps {
  readonly run: ExploredRun;
  /** Whether Tab reaches it; the arrow keys reach all. */
  readonly isFirst: boolean;
}

const RunCell = ({ run, isFirst }: CellProps) => {
  const { address, hrefWith } = useAddress();
  const { step, kind, result, known } = run;
  const id = cellId(run);
  const [word] = RESULTS[result];
  return (
    <Link
      href={hrefWith({ id })}
      data-result={result}
      data-known={known || undefined}
      aria-current={address.id === id ? "true" : undefined}
      aria-label={`${step}, ${kind}: ${word}${known ? ", known" : ""}`}
      title={KIND_WORDS[kind]}
      tabIndex={isFirst ? 0 : -1}
    >
      {cellText(run)}
    </Link>
  );
};

const STEPS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** Moves the focus to the next cell in the direction of an arrow key; empty cells are skipped. */
const move = (event: KeyboardEvent<HTMLTableElement>): void => {
  const by = STEPS[event.key];
  const cell = event.target instanceof HTMLElement ? event.target.closest("td") : null;
  const row = cell?.parentElement;
  if (by === undefined || !(row instanceof HTMLTableRowElement) || cell === null) return;
  const [right, down] = by;
  let [x, y] = [cell.cellIndex + right, row.rowIndex + down];
  for (;;) {
    const next = event.currentTarget.rows.item(y)?.cells.item(x);
    if (y < 1 || x < 1 || !next) break;
    const link = next.querySelector("a");
    if (link !== null) {
      link.focus();
      break;
    }
    [x, y] = [x + right, y + down];
  }
  // The page would scroll.
  event.preventDefault();
};

/** Steps by kinds; the cells are links, which the arrow keys go through. */
export const Matrix = ({ of }: { readonly of: Explored }) => {
  const { address } = useAddress();
  const first = of.runs.find((run) => cellId(run) === address.id) ?? of.runs[0];
  return (
    <div className={classes["matrix"]}>
      <table aria-label="Steps by kinds of failure" onKeyDown={move}>
        <thead>
          <tr>
            <td />
            {of.kinds.map((kind) => (
              <th key={kind} scope="col" title={KIND_WORDS[kind]}>
                {kind}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.steps.map((step) => (
            <tr key={step}>
              <th scope="row" className="mono">
                <bdi>{step}</bdi>
              </th>
              {of.kinds.map((kind) => {
                const run = runAt(of, step, kind);
                return <td key={kind}>{run && <RunCell run={run} isFirst={run === first} />}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
