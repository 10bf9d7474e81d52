import { Button } from "@mantine/core";

interface AskDiscardProps {
  /** How the form lays out its last line. */
  readonly className: string | undefined;
  readonly onDiscard: () => void;
  readonly onKeep: () => void;
}

/** Before a form that holds what was not saved is closed: whether it may. */
export const AskDiscard = ({ className, onDiscard, onKeep }: AskDiscardProps) => (
  <div className={className} role="alert">
    <p>Discard what you typed?</p>
    <Button color="red" autoFocus onClick={onDiscard}>
      Discard
    </Button>
    <Button onClick={onKeep}>Keep editing</Button>
  </div>
);
