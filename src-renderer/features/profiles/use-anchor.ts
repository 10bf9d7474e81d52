/**
 * Keeps what one looks at where it is, when rows come or go above it.
 */
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Profile } from "../../api/records.ts";
import { keyOf } from "./profile-place.ts";
import type { ProfileRows } from "./use-profile-pages.ts";

/** How far from its place a row is looked for. */
const NEAR = 250;

/** @param list names the list: another one begins at its top. @param onShift told by how many rows everything moved. */
export const useAnchor = (
  scroller: RefObject<HTMLDivElement | null>,
  rows: ProfileRows,
  rowHeight: number,
  list: string,
  onShift: (by: number) => void,
): void => {
  const anchor = useRef<{ key: string; index: number } | null>(null);
  const shownList = useRef(list);
  const { at, version, before } = rows;

  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null || before || shownList.current === list) return;
    shownList.current = list;
    anchor.current = null;
    box.scrollTop = 0;
  }, [list, before, scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when rows were read
  useLayoutEffect(() => {
    const box = scroller.current;
    const held = anchor.current;
    if (box === null || held === null || box.scrollTop === 0) return;
    const keyAt = (index: number): string | null => {
      const profile: Profile | undefined = index < 0 ? undefined : at(index);
      return profile === undefined ? null : keyOf(profile);
    };
    for (let off = 0; off <= NEAR; off++) {
      const by = keyAt(held.index + off) === held.key ? off : keyAt(held.index - off) === held.key ? -off : null;
      if (by === null) continue;
      if (by !== 0) {
        box.scrollTop += by * rowHeight;
        onShift(by);
      }
      return;
    }
  }, [version]);

  useLayoutEffect(() => {
    const index = Math.ceil((scroller.current?.scrollTop ?? 0) / rowHeight);
    const profile = at(index);
    anchor.current = profile === undefined ? null : { key: keyOf(profile), index };
  });
};
