/** Actions of buttons, forms and dialogs, and their feedback. */
import { Button, type ButtonProps, Group, Kbd, Modal } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useState } from "react";
import { Link } from "wouter";
import { create } from "zustand";
import { explain } from "../api/emulator.ts";

const useSaid = create<{ readonly text: string }>(() => ({ text: "" }));

/** Announces a text to screen readers. */
export const announce = (text: string): void =>
  // Screen readers ignore an unchanged text, so a trailing space makes it different.
  useSaid.setState((said) => ({ text: text === said.text ? `${text}\u00a0` : text }));

/** The live region for announcements. */
export const Announcer = () => (
  <div className="spoken" role="status" aria-live="polite">
    {useSaid().text}
  </div>
);

/** Shows an error to the user. */
export const complain = (error: unknown): void => {
  notifications.show({ title: "Something went wrong", message: explain(error), color: "red", withBorder: true });
};

// Without Mantine's title bar, a <header>, which would be a second banner landmark.
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

/** Closes the open dialog. */
export const closeDialog = (): void => modals.closeAll();

/** Opens a dialog, replacing an open one. @param size its maximum width. */
export const openDialog = (title: string, content: ReactNode, size = "md"): void => {
  closeDialog();
  modals.open({ ...dialog(title, content), size });
};

interface Question {
  readonly title: string;
  readonly words?: ReactNode;
  readonly label: string;
  readonly onConfirm: () => void;
}

const FIRST_FOCUS = { "data-autofocus": true };

/** Asks for confirmation before an action. */
export const askFirst = ({ title, words, label, onConfirm }: Question): void => {
  modals.openConfirmModal({
    ...dialog(title, words),
    labels: { confirm: label, cancel: "Cancel" },
    confirmProps: { color: "red", variant: "filled", ...FIRST_FOCUS },
    onConfirm,
  });
};

/** @returns props of a form that runs an action on submit instead of leaving the page. */
export const onSubmit = (act: () => unknown) => ({
  onSubmit: (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    act();
  },
});

/** @returns props of a text input. */
export const textField = (value: string, change: (text: string) => void) => ({
  value,
  onChange: (event: { readonly currentTarget: { readonly value: string } }): void => change(event.currentTarget.value),
});

/** @returns the texts that a small form asks for, and the props of the input for each. */
export const useTexts = <T extends Readonly<Record<string, string>>>(first: T) => {
  const [texts, setTexts] = useState(first);
  const field = (name: keyof T) =>
    textField(texts[name] ?? "", (text) => setTexts((now) => ({ ...now, [name]: text })));
  return [texts, field] as const;
};

/** @returns a function that runs an action, one at a time, and shows errors. @param says announced on success. */
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
  readonly keys?: string;
  readonly href?: string;
  /** Without a border, next to something more important. */
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

/** A button within text, which looks like a link. */
export const LinkButton = ({ warn = false, ...button }: ComponentProps<"button"> & { readonly warn?: boolean }) => (
  <button type="button" className={warn ? "link warn" : "link"} {...button} />
);

/** An action within text or a list of lines. */
export const RowButton = ({ label, act }: ActionProps) => {
  const { busy, run } = useAction(act);
  return (
    <LinkButton disabled={busy} onClick={() => run()}>
      {label}
    </LinkButton>
  );
};

interface ActionButtonProps extends ActionProps, Pick<ButtonProps, "variant" | "disabled"> {
  readonly says?: string;
  readonly ask?: Omit<Question, "label" | "onConfirm">;
}

/** A button that runs an action. */
export const ActionButton = ({ label, act, says, ask, ...button }: ActionButtonProps) => {
  const { busy, run } = useAction(act, says);
  const press = ask === undefined ? run : () => askFirst({ ...ask, label, onConfirm: run });
  // A disabled button would lose the focus, and `useAction` runs one at a time anyway.
  const renderRoot = (root: object) => <button type="button" {...root} disabled={button.disabled} />;
  return (
    <Button {...button} {...(ask && { color: "red" })} loading={busy} renderRoot={renderRoot} onClick={() => press()}>
      {label}
    </Button>
  );
};
