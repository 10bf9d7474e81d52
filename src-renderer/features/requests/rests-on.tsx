import { decisionOf } from "#contract/decisions.ts";
import { DetailPart } from "../../ui/detail-panel.tsx";
import classes from "./rests-on.module.css";

const BASIS = {
  specification: "Follows from the specification.",
  field: "The specification does not say; public services of this kind do so.",
  assumption: "The specification does not say; this is our assumption. Check it against the real service.",
} as const;

/** The decision that an answer rests on, in a sentence, and where the whole of it is. */
export const RestsOn = ({ id }: { readonly id: string }) => {
  const decision = decisionOf(id);
  if (decision === undefined) return null;
  return (
    <DetailPart title={`Rests on ${id}, ${decision.title}`}>
      <p>{decision.sentence}</p>
      <p className={classes.basis}>
        {BASIS[decision.basis]} More in <span className="mono">docs/fidelity.md#{id.toLowerCase()}</span>
      </p>
    </DetailPart>
  );
};
