/**
 * A new connection as it is typed.
 */
import type { Profile } from "../../api/records.ts";
import { keepDrafts } from "../../ui/unsaved.ts";
import { type DraftForm, useDraft } from "../../ui/use-draft.ts";

/** The fields, and whose it will be. */
export interface Draft {
  /** Null: nobody is chosen yet, or the form is of one user. */
  readonly user: Profile | null;
  readonly name: string;
  readonly managed: boolean;
}

const EMPTY: Draft = { user: null, name: "", managed: true };
const drafts = keepDrafts<Draft>();

/** @returns whether two drafts say the same; who is chosen is found again soon, and no reason to ask. */
const sameDraft = (a: Draft, b: Draft): boolean => a.name.trim() === b.name.trim() && a.managed === b.managed;

/** The draft of a form. @param key names it: the app that is looked at, or the user whose it will be. */
export const useConnectionDraft = (key: string): DraftForm<Draft> => useDraft(drafts, key, EMPTY, sameDraft);
