/**
 * What buttons, forms and dialogs do, and what is said of it.
 */
import { Button, type ButtonProps, Group, Kbd, Modal } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "wouter";
import { create } from "zustand";
import { explain } from "../api/emulator.ts";

const useSaid = create<{ readonly text: string }>(() => ({ text: "" }));

/** Says something to who cannot see the page change. */
export const announce = (text: string): void =>
  // A screen reader keeps silent on a text that did not change; a space it does not read makes it another.
  useSaid.setState((said) => ({ text: text === said.text ? `${text}\u00a0` : text }));

/** The live region. */
export const Announcer = () => (
  <div className="spoken" role="status" aria-live="polite">
    {useSaid().text}
  </div>
);

/** Shows what went wrong, in the words of the error. */
export const complain = (error: unknown): void => {
  notifications.show({ title: "That did not work", message: explain(error), color: "red", withBorder: true });
};

// Not Mantine's head, which is a <header>: that would be a second banner of the page.
const dialog = (title: string, content: ReactNode) => ({
  withCloseButton: false,
  children: (
    <>
      <Group justify="space-between" mb={8}>
        <Modal.Title>{title}</Modal.Title>
        <Modal.CloseButton aria-label="Close" />
      </Group>
      {content}
    </>
  ),
});

/** Closes the dialog that is open. */
export const closeDialog = (): void => modals.closeAll();

/** Opens a dialog, in the place of one that is open. */
export const openDialog = (title: string, content: ReactNode): void => {
  closeDialog();
  modals.open(dialog(title, content));
};

/** What is asked before something that cannot be undone, or not wholly. */
interface Question {
  readonly title: string;
  readonly words?: ReactNode;
  readonly label: string;
  readonly onConfirm: () => void;
}

const FIRST_FOCUS = { "data-autofocus": true };

/** Asks, and does it when the answer is yes. */
export const askFirst = ({ title, words, label, onConfirm }: Question): void => {
  modals.openConfirmModal({
    ...dialog(title, words),
    labels: { confirm: label, cancel: "Cancel" },
    confirmProps: { color: "red", variant: "filled", ...FIRST_FOCUS },
    onConfirm,
  });
};

/** @returns what a form does when it is submitted, in the place of leaving the page. */
export const onSubmit = (act: () => unknown) => ({
  onSubmit: (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    act();
  },
});

/** @returns what an input needs to show a text, and to change it. */
export const textField = (value: string, change: (text: string) => void) => ({
  value,
  onChange: (event: { readonly currentTarget: { readonly value: string } }): void => change(event.currentTarget.value),
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

interface TextButtonProps
  extends Omit<ButtonProps, "children">,
    Omit<ComponentProps<"button">, keyof ButtonProps | "children" | "ref"> {
  readonly label: string;
  /** The key that does the same. */
  readonly keys?: string;
  /** Where it leads, if it is a link. */
  readonly href?: string;
  /** Without a frame, beside what matters more. */
  readonly quiet?: boolean;
}

const QUIET = { variant: "subtle", color: "gray", c: "dimmed", px: 8 } as const;

/** A button, or a link that looks like one. */
export const TextButton = ({ label, keys, href, quiet = false, ...button }: TextButtonProps) => (
  <Button
    {...(quiet && QUIET)}
    {...(keys !== undefined && { rightSection: <Kbd>{keys}</Kbd> })}
    {...(href !== undefined && { renderRoot: (root: object) => <Link href={href} {...root} /> })}
    {...button}
  >
    {label}
  </Button>
);

interface ActionProps {
  readonly label: string;
  readonly act: () => Promise<unknown>;
}

/** An action in a row of a list: rows are drawn by the dozen, and Mantine's button is heavy. */
export const RowButton = ({ label, act }: ActionProps) => {
  const { busy, run } = useAction(act);
  return (
    <button type="button" className="link" disabled={busy} onClick={() => run()}>
      {label}
    </button>
  );
};

interface ActionButtonProps extends ActionProps, Pick<ButtonProps, "variant" | "disabled"> {
  readonly says?: string;
  /** Asked first, where it cannot be undone. */
  readonly ask?: Omit<Question, "label" | "onConfirm">;
}

/** A button that does something. */
export const ActionButton = ({ label, act, says, ask, ...button }: ActionButtonProps) => {
  const { busy, run } = useAction(act, says);
  const press = ask === undefined ? run : () => askFirst({ ...ask, label, onConfirm: run });
  return <TextButton {...button} {...(ask && { color: "red" })} label={label} loading={busy} onClick={() => press()} />;
};
