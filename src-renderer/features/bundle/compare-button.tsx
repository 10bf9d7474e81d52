import type { App } from "#client/index.ts";
import { TextButton } from "../../ui/action.tsx";
import { useFaults } from "../faults/queries.ts";
import type { Story } from "../requests/stories.ts";
import { openComparison } from "./compare-dialog.tsx";

/** A login, the apps with the settings that it met, and the other logins of the list. */
interface OfStory {
  readonly story: Story;
  readonly apps: readonly Pick<App, "appId" | "settings">[];
  readonly others: readonly Story[];
}

/** Compares a login with another one. */
export const CompareButton = ({ others, ...side }: OfStory) => {
  const faults = useFaults();
  return <TextButton onClick={() => openComparison({ ...side, faults }, others)} label="Compare…" />;
};
