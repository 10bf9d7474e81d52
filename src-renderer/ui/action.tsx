/**
 * What buttons and keys do to the server.
 */
import { Button, type ButtonProps } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { announce, complain } from "./announcer.tsx";
import { askFirst, type Question } from "./dialogs.tsx";

/** @returns what a form does when it is submitted, in the place of leaving the page. */
export const onSubmit = (act: () => unknown) => ({
  onSubmit: (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    act();
  },
});

/** @returns what runs an action, once at a time, and shows what went wrong. @param says read aloud when it succeeded. */
export const useAction = <A extends readonly unknown[]>(act: (...args: A) => Promise<unknown>, says?: string) => {
  const { mutate, isPending } = useMutation({
    mutationFn: (args: A) => act(...args),
    onSuccess: () => says !== undefined && announce(says),
    onError: complain,
  });
  return { busy: isPending, run: (...args: A): unknown => (isPending ? false : mutate(args)) };
};

interface ActionButtonProps extends Pick<ButtonProps, "variant" | "disabled" | "rightSection"> {
  readonly label: string;
  readonly act: () => Promise<unknown>;
  /** @see useAction */
  readonly says?: string;
  /** Asked first, where it cannot be undone. */
  readonly ask?: Omit<Question, "label" | "onConfirm">;
}

/** The same in a row of a list: rows are drawn by the dozen, and Mantine's button is heavy. */
export const RowButton = ({
  label,
  act,
  hint,
}: Pick<ActionButtonProps, "label" | "act"> & { readonly hint?: string }) => {
  const { busy, run } = useAction(act);
  return (
    <button type="button" className="link" disabled={busy} aria-label={hint} onClick={() => run()}>
      {label}
    </button>
  );
};

/** A button that does something. */
export const ActionButton = ({ label, act, says, ask, ...button }: ActionButtonProps) => {
  const { busy, run } = useAction(act, says);
  const press = ask === undefined ? run : () => askFirst({ ...ask, label, onConfirm: run });
  return (
    <Button {...button} {...(ask && { color: "red" })} loading={busy} onClick={() => press()}>
      {label}
    </Button>
  );
};
