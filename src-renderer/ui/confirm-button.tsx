import { Button } from "@mantine/core";
import { useEffect, useState } from "react";

const ARMED_MS = 4_000;

interface ConfirmButtonProps {
  readonly label: string;
  /** The question that the second press answers. */
  readonly question: string;
  readonly disabled?: boolean;
  readonly loading?: boolean;
  readonly armed: boolean;
  readonly onArm: (armed: boolean) => void;
  readonly onConfirm: () => void;
}

/** @returns whether a press was the first of two; it is forgotten after a moment. */
export const useArmed = (): [boolean, (armed: boolean) => void] => {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    if (!armed) return;
    const timer = setTimeout(() => setArmed(false), ARMED_MS);
    return () => clearTimeout(timer);
  }, [armed]);
  return [armed, setArmed];
};

/** A button for what cannot be undone: the first press asks, the second does. */
export const ConfirmButton = (props: ConfirmButtonProps) => {
  const { label, question, armed, onArm, onConfirm, disabled = false, loading = false } = props;
  return (
    <Button
      color="red"
      variant={armed ? "light" : "default"}
      disabled={disabled}
      loading={loading}
      onClick={() => {
        onArm(!armed);
        if (armed) onConfirm();
      }}
    >
      {armed ? question : label}
    </Button>
  );
};
