import { Link } from "wouter";
import { cellText, type Explored, type ExploredRun, KIND_WORDS, runAt } from "#contract/documents/explorations.ts";
import { useAddress } from "../../ui/address.ts";
import classes from "./exploration.module.css";
import { cellId, RESULTS } from "./exploration.ts";

const RunCell = ({ run }: { readonly run: ExploredRun }) => {
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
    >
      {cellText(run)}
    </Link>
  );
};

/** Steps by kinds; the cells are links. */
export const Matrix = ({ of }: { readonly of: Explored }) => (
  <div className={classes["matrix"]}>
    <table aria-label="Steps by kinds of failure">
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
              return <td key={kind}>{run && <RunCell run={run} />}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
