/** Undo for the last action. The band is shown on the screen of the action, and on a second screen that it affects. */
import { Box, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { create } from "zustand";
import type { Screen } from "#contract/screens.ts";
import { ActionButton, announce, TextButton, useAction } from "./action.tsx";
import { type Address, readPath } from "./address.ts";
import { useKeys } from "./keys.ts";

interface StripProps {
  readonly label: string;
  readonly words: ReactNode;
  readonly children: ReactNode;
}

/** A band above a list: what happened or is selected, and actions for it. */
export const Strip = ({ label, words, children }: StripProps) => (
  <Group component="section" className="band" bg="var(--sd-panel)" mih={48} aria-label={label}>
    <Box component="p" flex="1 1 320px" className="dim">
      {words}
    </Box>
    {children}
  </Group>
);

/** An action that can be undone. */
export interface Done extends Pick<StripProps, "label" | "words"> {
  readonly home: Screen;
  readonly note: ReactNode;
  /** Undoes it. @returns a message. @throws an error to show; the user can then retry. */
  readonly back: () => Promise<string>;
  /** A further step, which replaces the band. */
  readonly more?: { readonly label: string; readonly act: () => Promise<void> };
  /** Called when it can no longer be undone: another action followed, or the band was dismissed. */
  readonly forget?: () => Promise<unknown>;
}

const useLast = create((): { done: Done | null; at: Address["screen"] } => ({ done: null, at: undefined }));

/** Stores the last action, replacing the previous one. */
export const keepUndo = (done: Done | null): void => {
  const before = useLast.getState().done;
  useLast.setState({ done, at: readPath(window.location.pathname).screen });
  if (before !== done) void before?.forget?.();
};

/** Removes an action if it is still the last one. */
export const forgetUndo = (done: Done): void => {
  if (done === useLast.getState().done) keepUndo(null);
};

const StripOf = ({ done }: { readonly done: Done }) => {
  const { busy, run } = useAction(async () => {
    const said = await done.back();
    forgetUndo(done);
    announce(said);
  });
  useKeys({ u: run });
  const words = (
    <>
      <strong>{done.words}</strong> {done.note}
    </>
  );
  return (
    <Strip label={done.label} words={words}>
      {done.more && <ActionButton {...done.more} />}
      <TextButton loading={busy} keys="u" onClick={() => run()} label="Undo" />
      <TextButton quiet onClick={() => forgetUndo(done)} label="Dismiss" />
    </Strip>
  );
};

/** Shows the last action until it is undone (`u`) or dismissed. */
export const UndoStrip = ({ screen }: Pick<Address, "screen">) => {
  const { done, at } = useLast();
  return done && (screen === done.home || screen === at) && <StripOf done={done} />;
};
