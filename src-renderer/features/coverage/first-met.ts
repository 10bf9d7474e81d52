import { create } from "zustand";
import type { CoverageItem } from "#client/index.ts";

/** An outcome that an app has met for the first time. */
export interface FirstMet extends Pick<CoverageItem, "outcome" | "title"> {
  readonly appId: string | null;
}

/** What this window has heard since it was last put away; the inbox says it once. */
export const useFirstMet = create((): { readonly met: readonly FirstMet[] } => ({ met: [] }));

/** Remembers a first meeting. */
export const noteFirstMet = (one: FirstMet): void => useFirstMet.setState(({ met }) => ({ met: [...met, one] }));
