/**
 * Dialogs over the page, one at a time. Closing one gives the focus back to where it was.
 */
import { Group, Modal } from "@mantine/core";
import { modals } from "@mantine/modals";
import type { ReactNode } from "react";

// Not Mantine's head, which is a <header>: that would be a second banner of the page.
const Head = ({ title }: { readonly title: string }) => (
  <Group justify="space-between" mb={8}>
    <Modal.Title>{title}</Modal.Title>
    <Modal.CloseButton aria-label="Close" />
  </Group>
);

const FIRST_FOCUS = { "data-autofocus": true };

/** Closes the dialog that is open. */
export const closeDialog = (): void => modals.closeAll();

/** Opens a dialog, in the place of one that is open. */
export const openDialog = (title: string, content: ReactNode): void => {
  closeDialog();
  modals.open({
    withCloseButton: false,
    children: (
      <>
        <Head title={title} />
        {content}
      </>
    ),
  });
};

/** What is asked before something that cannot be undone, or not wholly. */
export interface Question {
  /** `Revoke this session?` */
  readonly title: string;
  /** What it comes to. */
  readonly words?: ReactNode;
  /** The verb on the button: `Revoke`. */
  readonly label: string;
  readonly onConfirm: () => void;
}

/** Asks, and does it when the answer is yes. */
export const askFirst = ({ title, words, label, onConfirm }: Question): void => {
  modals.openConfirmModal({
    withCloseButton: false,
    children: (
      <>
        <Head title={title} />
        {words}
      </>
    ),
    labels: { confirm: label, cancel: "Cancel" },
    confirmProps: { color: "red", variant: "filled", ...FIRST_FOCUS },
    onConfirm,
  });
};
