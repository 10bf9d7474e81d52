import { Button, Kbd } from "@mantine/core";
import type { ReactNode } from "react";
import { useKeys } from "./keys.ts";
import classes from "./strip.module.css";

interface UndoStripProps {
  /** Names the strip: `Last deletion`. */
  readonly label: string;
  /** What was done, in a few words. */
  readonly done: ReactNode;
  /** What undo brings back, and what it cannot. */
  readonly children: ReactNode;
  readonly pending: boolean;
  readonly onUndo: () => void;
  readonly onDismiss: () => void;
}

/** What was done last and can be taken back; `u` takes it back. */
export const UndoStrip = ({ label, done, children, pending, onUndo, onDismiss }: UndoStripProps) => {
  const undo = (): unknown => (pending ? false : onUndo());
  useKeys({ u: undo });
  return (
    <section className={classes.strip} aria-label={label}>
      <p className={classes.words}>
        <strong>{done}</strong> {children}
      </p>
      <Button loading={pending} rightSection={<Kbd>u</Kbd>} onClick={undo}>
        Undo
      </Button>
      <Button variant="subtle" color="gray" className={classes.quiet ?? ""} onClick={onDismiss}>
        Dismiss
      </Button>
    </section>
  );
};
