/**
 * The session across reloads of the page.
 */
import { type Session, session } from "./session.ts";

const KEY = "front-row.session";

/** @returns the session that was kept, if there is one that can be read. */
export const keptSession = (): Session | undefined => {
  try {
    return session.parse(JSON.parse(localStorage.getItem(KEY) ?? "null"));
  } catch {
    return undefined;
  }
};

/** Keeps a session; undefined forgets it. */
export const keepSession = (value: Session | undefined): void => {
  if (value === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(value));
};
