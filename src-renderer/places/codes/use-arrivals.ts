/** What is new does not move what one reads: it waits until it is asked for, and says so in its place. */
import { type RefObject, useLayoutEffect, useState } from "react";
import { groups } from "#contract/words/code-words.ts";
import type { Story } from "../../shared/login/stories.ts";

/** A login, and each further code of it, is new once. */
const keyOf = ({ id, passcodes }: Story): string => `${id} ${passcodes.length}`;

/** @returns whether someone reads the list: the pointer or the focus is in it, or it was scrolled. */
const isRead = (list: HTMLElement | null): boolean =>
  list !== null &&
  (list.matches(":hover") || list.contains(document.activeElement) || (list.firstElementChild?.scrollTop ?? 0) > 0);

/**
 * @param logins newest first; undefined until they are loaded. @param list around their list.
 * @returns the logins in the order in which they are shown, those that wait, and what shows them.
 */
export const useArrivals = (logins: readonly Story[] | undefined, list: RefObject<HTMLElement | null>) => {
  const [shown, setShown] = useState<ReadonlySet<string>>();
  const keys = logins?.map(keyOf);
  const isNew = keys !== undefined && (shown === undefined || keys.some((key) => !shown.has(key)));
  useLayoutEffect(() => {
    if (keys !== undefined && isNew && !isRead(list.current)) setShown(new Set(keys));
  });
  const all = logins ?? [];
  // The first time there is nothing to hold, and a login with a further code keeps its place until then.
  const waiting = shown === undefined ? [] : all.filter((login) => !shown.has(keyOf(login)));
  const isHeld = waiting.length > 0;
  const order = [...(shown ?? [])].map((key) => key.slice(0, key.indexOf(" ")));
  const byId = new Map(all.map((login) => [login.id, login]));
  const held = isHeld ? order.flatMap((id) => byId.get(id) ?? []) : all;
  return { items: held, waiting, release: (): void => setShown(keys && new Set(keys)) };
};

/** @returns what is new, in a few words: `New 658 703`, `3 new`. */
export const arrivalWords = (waiting: readonly Story[]): string => {
  const code = waiting[0]?.passcodes.at(-1)?.code;
  if (waiting.length !== 1) return `${waiting.length} new`;
  return code === undefined ? "1 new" : `New ${groups(code).join(" ")}`;
};
