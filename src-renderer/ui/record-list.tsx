import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useKeys } from "./keys.ts";
import classes from "./row.module.css";

interface RowListOptions {
  readonly count: number;
  readonly height: number;
  readonly current: number;
  readonly onCurrent: (index: number) => void;
  /** Whether the detail of the current row is open: keys then move from there. */
  readonly open: boolean;
  readonly keyOf: (index: number) => string | number;
  readonly overscan: number;
}

/** @returns how to render rows and move between them. A row has `data-row` on its focusable element, or on a parent of
 * that, which has `data-row-link`. */
export const useRowList = ({ count, height, current, onCurrent, open, keyOf, overscan }: RowListOptions) => {
  const scroller = useRef<HTMLDivElement>(null);
  const [focusWanted, setFocusWanted] = useState<number | null>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: keyOf,
    overscan,
    // Keep the focused row rendered: otherwise scrolling would lose the focus.
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
  // An action took its button or its row away: the next row gets the focus, which would fall to the page.
  const focused = useRef<{ readonly at: Element; readonly row: Element; readonly index: number } | null>(null);
  useEffect(() => {
    const note = ({ target: at }: FocusEvent): void => {
      const row = at instanceof Element ? at.closest("[data-row]") : null;
      focused.current =
        row === null || !(at instanceof Element) ? null : { at, row, index: Number(row.getAttribute("data-row")) };
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useLayoutEffect(() => {
    const last = focused.current;
    if (last === null || last.at.isConnected || document.activeElement !== document.body) return;
    focused.current = null;
    moveTo(last.index + Number(last.row.isConnected));
  });
  // Closing the detail removed the focus: return it to its row.
  const wasOpen = useRef(open);
  useLayoutEffect(() => {
    if (!open && wasOpen.current && document.activeElement === document.body) setFocusWanted(current);
    wasOpen.current = open;
  }, [open, current]);
  return { scroller, rows, step, isInside };
};

/** @returns the selected row of a list, and the current one for keys: last focused or selected. */
export const useCurrentRow = <T extends { readonly id: string }>(shown: readonly T[], selected: T | undefined) => {
  const selectedId = selected?.id ?? null;
  const [currentId, setCurrentId] = useState(selectedId);
  useEffect(() => {
    if (selectedId !== null) setCurrentId(selectedId);
  }, [selectedId]);
  return { current: shown.find((row) => row.id === currentId) ?? selected, currentId, setCurrentId, selectedId };
};

const ROW_HEIGHT = 40;
const OVERSCAN = 6;

/** Props of a row for keyboard movement. */
export interface RowFocus {
  readonly tabIndex: 0 | -1;
  readonly "data-row-link": string;
  readonly onFocus: () => void;
}

/** @see RecordList */
export interface RecordListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  /** All rows before filtering: a row that reappears is not new. */
  readonly all: readonly T[];
  readonly rowHeight?: number;
  /** The columns in CSS, for lists from 640 px, from 420 px (without what has `data-wide`), and narrower (without
   * what has `data-middle`). */
  readonly columns: readonly [wide: string, middle: string, narrow: string];
  readonly renderRow: (item: T, focus: RowFocus) => ReactNode;
  readonly row: Omit<ReturnType<typeof useCurrentRow>, "current">;
  readonly onEnd?: (() => void) | undefined;
}

/** Rows of equal height, newest first; a new row fades in once while the list is shown. */
export const RecordList = <T extends { readonly id: string }>(props: RecordListProps<T>) => {
  const { items, rowHeight = ROW_HEIGHT } = props;
  const { currentId, setCurrentId, selectedId } = props.row;
  const [seen] = useState(() => new Set(props.all.map((item) => item.id)));
  const found = items.findIndex((item) => item.id === currentId);
  const currentIndex = Math.max(0, found);
  const { scroller, rows } = useRowList({
    count: items.length,
    height: rowHeight,
    current: currentIndex,
    onCurrent: (index) => setCurrentId(items[index]?.id ?? ""),
    open: found >= 0 && selectedId !== null,
    keyOf: (index) => items[index]?.id ?? index,
    overscan: OVERSCAN,
  });

  const { onEnd } = props;
  const isEnd = (rows.range?.endIndex ?? 0) >= items.length - 1;
  useEffect(() => {
    if (isEnd) onEnd?.();
  }, [isEnd, onEnd]);

  // New rows at the top must not move what the user is looking at.
  const topBefore = useRef(items[0]?.id);
  useLayoutEffect(() => {
    const above = items.findIndex((item) => item.id === topBefore.current);
    topBefore.current = items[0]?.id;
    // From the virtual list: reading it from the element would force a layout on each change.
    if (above > 0 && scroller.current !== null && (rows.scrollOffset ?? 0) > 0)
      scroller.current.scrollTop += above * rowHeight;
  }, [items, rowHeight, scroller, rows]);

  return (
    <div ref={scroller} className={classes["scroller"]}>
      <ul
        aria-label={props.label}
        className={classes["list"]}
        style={{
          height: items.length * rowHeight,
          "--row": `${rowHeight}px`,
          "--wide": props.columns[0],
          "--middle": props.columns[1],
          "--narrow": props.columns[2],
        }}
      >
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const item = items[index];
          if (item === undefined) return null;
          const onFocus = (): void => setCurrentId(item.id);
          const focus = { tabIndex: index === currentIndex ? 0 : -1, "data-row-link": item.id, onFocus } as const;
          return (
            <li
              key={key}
              className={classes["item"]}
              data-row={index}
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              data-selected={item.id === selectedId || undefined}
            >
              <div
                className={classes["inner"]}
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
