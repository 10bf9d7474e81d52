import { Modal } from "@mantine/core";
import { lazy, Suspense, useLayoutEffect } from "react";
import { showDialog, useDialog } from "../ui/dialogs.ts";
import classes from "./palette.module.css";

const PaletteBody = lazy(async () => ({ default: (await import("./palette-body.tsx")).PaletteBody }));

/** What opens it, as it is written on this system. */
export const PALETTE_KEYS: string = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

const isPaletteKey = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === "k" &&
  event.metaKey !== event.ctrlKey &&
  !event.altKey &&
  !event.shiftKey &&
  !event.isComposing;

/** All that can be done, by typing: opens by ⌘K and Ctrl K, from anywhere. Its content is loaded when first opened. */
export const Palette = () => {
  const open = useDialog("palette");
  // As soon as it is seen that there is one: a key that comes earlier is lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!isPaletteKey(event)) return;
      event.preventDefault();
      showDialog(open ? null : "palette");
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [open]);
  return (
    <Modal.Root opened={open} onClose={() => showDialog(null)} yOffset="12vh" size={560}>
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content aria-label="Commands">
        <Modal.Body className={classes.body ?? ""}>
          <Suspense fallback={null}>
            <PaletteBody />
          </Suspense>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
};
