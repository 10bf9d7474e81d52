/**
 * What was done last and can be taken back. It is shown on the screen where it was done and on its own.
 */
import { Box, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { create } from "zustand";
import type { Screen } from "#contract/screens.ts";
import { announce, TextButton, useAction } from "./action.tsx";
import { type Address, readPath } from "./address.ts";
import { useKeys } from "./keys.ts";

interface StripProps {
  readonly label: string;
  readonly words: ReactNode;
  readonly children: ReactNode;
}

/** A band over a list: what happened or what is selected, and what can be done about it. */
export const Strip = ({ label, words, children }: StripProps) => (
  <Group component="section" className="band" bg="var(--sd-panel)" mih={48} aria-label={label}>
    <Box component="p" flex="1 1 320px" className="dim">
      {words}
    </Box>
    {children}
  </Group>
);

/** Something that was done. */
export interface Done extends Pick<StripProps, "label" | "words"> {
  readonly home: Screen;
  /** What undoing it brings back, and what it cannot. */
  readonly note: ReactNode;
  /** Takes it back. @returns the words that say so. @throws an error to show; it can then be tried again. */
  readonly back: () => Promise<string>;
  /** Called when it is no longer to be taken back: something else was done since, or it was dismissed. */
  readonly forget?: () => Promise<unknown>;
}

const useLast = create<{ readonly done: Done | null; readonly at: Address["screen"] }>(() => ({
  done: null,
  at: undefined,
}));

/** Keeps what was done, in the place of what was done before. */
export const keepUndo = (done: Done | null): void => {
  const before = useLast.getState().done;
  useLast.setState({ done, at: readPath(window.location.pathname).screen });
  if (before !== done) void before?.forget?.();
};

/** Forgets what was done, if it still is the last. */
export const forgetUndo = (done: Done): void => {
  if (done === useLast.getState().done) keepUndo(null);
};

const StripOf = ({ done }: { readonly done: Done }) => {
  const { busy, run } = useAction(async () => {
    const words = await done.back();
    forgetUndo(done);
    announce(words);
  });
  useKeys({ u: run });
  return (
    <Strip
      label={done.label}
      words={
        <>
          <strong>{done.words}</strong> {done.note}
        </>
      }
    >
      <TextButton loading={busy} keys="u" onClick={() => run()} label="Undo" />
      <TextButton quiet onClick={() => forgetUndo(done)} label="Dismiss" />
    </Strip>
  );
};

/** Says what was done last, until it is taken back (`u`) or dismissed. */
export const UndoStrip = ({ screen }: Pick<Address, "screen">) => {
  const { done, at } = useLast();
  return done && (screen === done.home || screen === at) && <StripOf done={done} />;
};
