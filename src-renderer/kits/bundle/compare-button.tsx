import { TextButton } from "../../ui/action.tsx";
import type { OfStory } from "../manifest.ts";
import { openComparison } from "./compare-dialog.tsx";

/** Compares a login with another one. */
export const CompareButton = ({ others, ...side }: OfStory) => (
  <TextButton onClick={() => openComparison(side, others)} label="Compare…" />
);
