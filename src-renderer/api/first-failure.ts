/** The first failure of an app that the user has not looked at yet. */
import { create } from "zustand";

/** `requestId`: its row; null: there is none. */
export const useFirstFailure = create<{ readonly requestId: string | null }>(() => ({ requestId: null }));
