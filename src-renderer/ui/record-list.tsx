/**
 * The list of a screen: as many rows as fit are drawn, one of them is in the tab order, j/k and the arrows move it.
 */
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useKeys } from "./keys.ts";
import classes from "./record-list.module.css";

/** What a row needs to take part in the movement. */
export interface RowFocus {
  /** For the row's link. */
  readonly tabIndex: 0 | -1;
  readonly "data-row-link": string;
  readonly onFocus: () => void;
}

interface RecordListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  /** All that there is, filtered out or not: a row that a filter brings back is not new. */
  readonly all: readonly T[];
  readonly selectedId: string | null;
  readonly rowHeight: number;
  readonly renderRow: (item: T, focus: RowFocus) => ReactNode;
  /** Told which row the keys are on. */
  readonly onCurrent: (id: string) => void;
  readonly currentId: string | null;
}

/** Rows of one height, newest first; a row that comes while the list is shown fades in, once. */
export const RecordList = <T extends { readonly id: string }>(props: RecordListProps<T>) => {
  const { items, rowHeight, currentId, onCurrent, selectedId } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [focusWanted, setFocusWanted] = useState<string | null>(null);
  const [seen] = useState(() => new Set(props.all.map((item) => item.id)));
  const found = items.findIndex((item) => item.id === currentId);
  const currentIndex = Math.max(0, found);

  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 6,
    // The row with the focus stays drawn, or scrolling would throw the focus away.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range);
      return visible.includes(currentIndex) ? visible : [...visible, currentIndex].sort((a, b) => a - b);
    },
  });

  const moveTo = (index: number): void => {
    const target = items[Math.min(Math.max(index, 0), items.length - 1)];
    if (target === undefined) return;
    rows.scrollToIndex(items.indexOf(target));
    onCurrent(target.id);
    setFocusWanted(target.id);
  };
  const step = (by: number): unknown => {
    const inList = scroller.current?.contains(document.activeElement) ?? false;
    if (inList || (found >= 0 && selectedId !== null)) return moveTo(currentIndex + by);
    return moveTo(currentIndex);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    arrowdown: () => step(1),
    arrowup: () => step(-1),
    home: () => moveTo(0),
    end: () => moveTo(items.length - 1),
  });

  useLayoutEffect(() => {
    if (focusWanted === null) return;
    const link = scroller.current?.querySelector(`[data-row-link="${CSS.escape(focusWanted)}"]`);
    if (link instanceof HTMLElement) link.focus({ preventScroll: true });
    setFocusWanted(null);
  }, [focusWanted]);

  // Rows that come in above must not move what is being looked at.
  const topBefore = useRef(items[0]?.id);
  useLayoutEffect(() => {
    const above = items.findIndex((item) => item.id === topBefore.current);
    topBefore.current = items[0]?.id;
    if (above > 0 && scroller.current !== null && scroller.current.scrollTop > 0)
      scroller.current.scrollTop += above * rowHeight;
  }, [items, rowHeight]);

  // The detail was closed and took the focus with it: back to the row it belonged to.
  const selectedBefore = useRef(selectedId);
  useLayoutEffect(() => {
    if (selectedId === null && selectedBefore.current !== null && document.activeElement === document.body)
      setFocusWanted(selectedBefore.current);
    selectedBefore.current = selectedId;
  }, [selectedId]);

  return (
    <div ref={scroller} className={classes.scroller}>
      <ul aria-label={props.label} className={classes.list} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const item = items[index];
          if (item === undefined) return null;
          const focus: RowFocus = {
            tabIndex: index === currentIndex ? 0 : -1,
            "data-row-link": item.id,
            onFocus: () => onCurrent(item.id),
          };
          return (
            <li
              key={key}
              className={classes.row}
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              data-selected={item.id === selectedId || undefined}
            >
              <div
                className={classes.inner}
                data-fresh={!seen.has(item.id) || undefined}
                onAnimationEnd={() => seen.add(item.id)}
              >
                {props.renderRow(item, focus)}
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
};
