import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./dialog.module.css";
import { type DialogName, showDialog, useDialog } from "./dialogs.ts";

interface DialogProps {
  readonly name: DialogName;
  readonly title: string;
  readonly children: ReactNode;
}

/** A dialog over the page. Its head is no `<header>`: that would be a second banner of the page. */
export const Dialog = ({ name, title, children }: DialogProps) => (
  <Modal.Root opened={useDialog(name)} onClose={() => showDialog(null)}>
    <Modal.Overlay backgroundOpacity={0.5} />
    <Modal.Content>
      <div className={classes.head}>
        <Modal.Title>{title}</Modal.Title>
        <Modal.CloseButton aria-label="Close" />
      </div>
      <Modal.Body>{children}</Modal.Body>
    </Modal.Content>
  </Modal.Root>
);
