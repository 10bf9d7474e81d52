import { TextButton } from "../../ui/action.tsx";
import { useFaults } from "../faults/queries.ts";
import type { OfStory } from "../manifest.ts";
import { openComparison } from "./compare-dialog.tsx";

/** Compares a login with another one. */
export const CompareButton = ({ others, ...side }: OfStory) => {
  const faults = useFaults();
  return <TextButton onClick={() => openComparison({ ...side, faults }, others)} label="Compare…" />;
};
