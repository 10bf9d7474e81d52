import type { RequestRow } from "#client/index.ts";
import { decisionOf } from "#contract/decisions.ts";
import { problems } from "#contract/problems.ts";
import { DetailPart } from "../../ui/detail-panel.tsx";
import { isReason } from "../../ui/exchange-words.ts";

const BASIS = {
  specification: "Follows from the specification.",
  field: "The specification does not say; public services of this kind do so.",
  assumption: "The specification does not say; this is our assumption. Check it against the real service.",
} as const;

/** @returns whether the decision of a row is about its response: that of an operation says nothing of a refusal. */
const isAbout = ({ reason, status }: RequestRow): boolean =>
  status < 400 || status === 422 || (reason !== null && isReason(reason) && "decision" in problems[reason]);

/** The decision that a response rests on, in a sentence, and where the whole of it is. */
export const Behaviour = ({ row }: { readonly row: RequestRow }) => {
  const id = row.decision ?? "";
  const decision = decisionOf(id);
  if (decision === undefined || row.fault !== null || !isAbout(row)) return null;
  return (
    <DetailPart title={`Emulator behaviour: ${decision.title}`}>
      <p>{decision.sentence}</p>
      <p className="small">
        {BASIS[decision.basis]} See <span className="mono">docs/fidelity.md#{id.toLowerCase()}</span> ({id}).
      </p>
    </DetailPart>
  );
};
