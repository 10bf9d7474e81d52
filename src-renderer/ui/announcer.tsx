import { useSyncExternalStore } from "react";

let said = "";
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Says something to who cannot see the page change. */
export const announce = (text: string): void => {
  // A screen reader keeps silent on a text that did not change; a space it does not read makes it another.
  said = text === said ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
};

/** The live region. */
export const Announcer = () => (
  <div className="spoken" role="status" aria-live="polite">
    {useSyncExternalStore(subscribe, () => said)}
  </div>
);
