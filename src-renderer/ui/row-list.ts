/**
 * A long list of rows of one height: as many as fit are drawn, one of them is in the tab order, j/k and the arrows move it.
 */
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useKeys } from "./keys.ts";

interface RowListOptions {
  readonly count: number;
  /** Of every row, in pixels. */
  readonly height: number;
  /** What stands above the rows in the same scroller, in pixels; nothing if absent. */
  readonly top?: number;
  /** The place of the row that the keys are on. */
  readonly current: number;
  /** Moves the keys to a row. */
  readonly onCurrent: (index: number) => void;
  /** Whether the detail of the current row is open: the keys then move on from it. */
  readonly open: boolean;
  readonly keyOf: (index: number) => string | number;
  /** Rows that are drawn beyond what is seen. */
  readonly overscan: number;
}

/** @returns what draws the rows, and what moves through them. A row has its `data-row`: what takes the focus, or what holds it as
 * `data-row-link`. */
export const useRowList = ({ count, height, top = 0, current, onCurrent, open, keyOf, overscan }: RowListOptions) => {
  const scroller = useRef<HTMLDivElement>(null);
  const [focusWanted, setFocusWanted] = useState<number | null>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: keyOf,
    overscan,
    scrollMargin: top,
    // The row with the focus stays drawn, or scrolling would throw the focus away.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range);
      return visible.includes(current) ? visible : [...visible, current].sort((a, b) => a - b);
    },
  });
  const moveTo = (index: number): void => {
    if (count === 0) return;
    const target = Math.min(Math.max(index, 0), count - 1);
    rows.scrollToIndex(target);
    onCurrent(target);
    setFocusWanted(target);
  };
  const isInside = (): boolean => scroller.current?.contains(document.activeElement) ?? false;
  const step = (by: number): void => moveTo(isInside() || open ? current + by : current);
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    arrowdown: () => step(1),
    arrowup: () => step(-1),
    home: () => moveTo(0),
    end: () => moveTo(count - 1),
  });
  useLayoutEffect(() => {
    if (focusWanted === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${focusWanted}"]`);
    (row?.querySelector<HTMLElement>("[data-row-link]") ?? row)?.focus({ preventScroll: true });
    setFocusWanted(null);
  }, [focusWanted]);
  // The detail was closed and took the focus with it: back to the row it belonged to.
  const wasOpen = useRef(open);
  useLayoutEffect(() => {
    if (!open && wasOpen.current && document.activeElement === document.body) setFocusWanted(current);
    wasOpen.current = open;
  }, [open, current]);
  return { scroller, rows, step, isInside };
};

/** Which row of a list is selected, and which one the keys are on. */
export interface CurrentRow<T> {
  /** The row that the keys are on, if it is known. */
  readonly current: T | undefined;
  readonly currentId: string | null;
  /** Moves the keys to another row. */
  readonly setCurrentId: (id: string) => void;
  readonly selectedId: string | null;
}

/** @returns the row that last had the focus, or that was selected since. */
export const useCurrentRow = <T extends { readonly id: string }>(
  shown: readonly T[],
  selected: T | undefined,
): CurrentRow<T> => {
  const selectedId = selected?.id ?? null;
  const [currentId, setCurrentId] = useState(selectedId);
  useEffect(() => {
    if (selectedId !== null) setCurrentId(selectedId);
  }, [selectedId]);
  const current = shown.find((row) => row.id === currentId) ?? selected;
  return { current, currentId, setCurrentId, selectedId };
};
