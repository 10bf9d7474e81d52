import { Button, Kbd } from "@mantine/core";
import classes from "../../ui/strip.module.css";
import { MOST_SELECTED, type Selection } from "./selection.ts";

interface SelectionStripProps {
  readonly selection: Selection;
  /** How many the list has. */
  readonly total: number;
  readonly deleting: boolean;
  readonly onAll: () => void;
  readonly onDelete: () => void;
}

/** How many are selected, and what can be done with them. */
export const SelectionStrip = ({ selection, total, deleting, onAll, onDelete }: SelectionStripProps) => {
  const { profiles, reading, clear } = selection;
  const most = Math.min(total, MOST_SELECTED);
  if (profiles.size === 0 && !reading) return null;
  return (
    <section className={classes.strip} aria-label="Selection">
      <p className={classes.words} aria-live="polite">
        <strong>
          {reading ? "Selecting…" : `${profiles.size.toLocaleString("en")} of ${total.toLocaleString("en")} selected`}
        </strong>
        {profiles.size >= MOST_SELECTED && total > MOST_SELECTED && ", the most at once"}
      </p>
      {profiles.size < most && !reading && (
        <Button variant="subtle" color="gray" className={classes.quiet ?? ""} onClick={onAll}>
          {total > MOST_SELECTED
            ? `Select the first ${MOST_SELECTED.toLocaleString("en")}`
            : `Select all ${total.toLocaleString("en")}`}
        </Button>
      )}
      <Button disabled={reading} loading={deleting} color="red" rightSection={<Kbd>#</Kbd>} onClick={onDelete}>
        Delete {profiles.size.toLocaleString("en")}
      </Button>
      <Button variant="subtle" color="gray" className={classes.quiet ?? ""} onClick={clear}>
        {reading ? "Cancel" : "Clear"}
      </Button>
    </section>
  );
};
