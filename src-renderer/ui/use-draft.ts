/**
 * What is typed into a form: it is kept while another row or screen is looked at, and asked for before it is thrown away.
 */
import { useEffect, useState } from "react";
import type { Drafts } from "./unsaved.ts";

/** A form's draft, and what becomes of it. */
export interface DraftForm<T> {
  readonly draft: T;
  /** It was typed before, and left. */
  readonly found: boolean;
  /** Whether to show the question, as `AskDiscard`. */
  readonly asking: boolean;
  readonly change: (part: Partial<T>) => void;
  /** Goes on with what would lose the draft; asks first if there is one. */
  readonly leave: (go: () => void) => void;
  /** The answer no: the draft stays. */
  readonly keep: () => void;
  /** The answer yes: forgets the draft, and goes on. */
  readonly discard: () => void;
  /** Forgets the draft: it is saved. */
  readonly drop: () => void;
}

/**
 * The draft of a form.
 * @param drafts where those of this kind of form are kept
 * @param key names the form
 * @param first what stands in it before anything is typed
 * @param same whether two drafts say the same: only what differs from `first` is kept and asked for
 */
export const useDraft = <T>(drafts: Drafts<T>, key: string, first: T, same: (a: T, b: T) => boolean): DraftForm<T> => {
  const [before, setBefore] = useState(() => drafts.get(key));
  const [draft, setDraft] = useState(before ?? first);
  const [wanted, setWanted] = useState<(() => void) | null>(null);
  const dirty = !same(first, draft);
  useEffect(() => {
    if (dirty) drafts.keep(key, draft);
    else drafts.drop(key);
  }, [drafts, key, draft, dirty]);
  const drop = (): void => {
    drafts.drop(key);
    setBefore(undefined);
    setDraft(first);
    setWanted(null);
  };
  return {
    draft,
    found: before !== undefined && dirty,
    asking: wanted !== null && dirty,
    change: (part) => setDraft((now) => ({ ...now, ...part })),
    leave: (go) => {
      if (dirty) setWanted(() => go);
      else go();
    },
    keep: () => setWanted(null),
    discard: () => {
      drop();
      wanted?.();
    },
    drop,
  };
};
