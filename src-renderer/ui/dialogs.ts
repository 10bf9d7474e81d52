import { useSyncExternalStore } from "react";

/** The dialogs of the page. */
export type DialogName = "send" | "help" | "session" | "palette" | "clock" | "memory";

let open: DialogName | null = null;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Opens a dialog, or closes whichever is open (null). */
export const showDialog = (name: DialogName | null): void => {
  open = name;
  for (const listener of listeners) listener();
};

/** @returns whether a dialog is open. */
export const useDialog = (name: DialogName): boolean => useSyncExternalStore(subscribe, () => open) === name;
