/**
 * What was done last and can be taken back. It is shown on the screen where it was done and on its own.
 */
import { Button, Kbd } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { create } from "zustand";
import type { Screen } from "#contract/screens.ts";
import { type Address, readPath } from "./address.ts";
import { announce } from "./announcer.tsx";
import { complain } from "./complain.ts";
import { useKeys } from "./keys.ts";
import { Strip } from "./strip.tsx";

/** Something that was done. */
export interface Done {
  /** Names the strip: `Last deletion`. */
  readonly label: string;
  /** The screen that it belongs to. */
  readonly home: Screen;
  /** A sentence that says what. */
  readonly words: ReactNode;
  /** What undoing it brings back, and what it cannot. */
  readonly note: ReactNode;
  /** Takes it back. @returns the words that say so. @throws an error to show; it can then be tried again. */
  readonly back: () => Promise<string>;
  /** Called when it is no longer to be taken back: something else was done since, or it was dismissed. */
  readonly forget?: () => Promise<unknown>;
}

interface Last {
  readonly done: Done | null;
  readonly at: Address["screen"];
}

const useLast = create<Last>(() => ({ done: null, at: undefined }));

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
  const back = useMutation({
    mutationFn: done.back,
    onSuccess: (words) => {
      forgetUndo(done);
      announce(words);
    },
    onError: complain,
  });
  const takeBack = (): unknown => (back.isPending ? false : back.mutate());
  useKeys({ u: takeBack });
  return (
    <Strip
      label={done.label}
      words={
        <>
          <strong>{done.words}</strong> {done.note}
        </>
      }
    >
      <Button loading={back.isPending} rightSection={<Kbd>u</Kbd>} onClick={takeBack}>
        Undo
      </Button>
      <Button variant="subtle" color="gray" c="dimmed" px={8} onClick={() => forgetUndo(done)}>
        Dismiss
      </Button>
    </Strip>
  );
};

/** Says what was done last, until it is taken back (`u`) or dismissed. */
export const UndoStrip = ({ screen }: Pick<Address, "screen">) => {
  const { done, at } = useLast();
  return done && (screen === done.home || screen === at) && <StripOf done={done} />;
};
