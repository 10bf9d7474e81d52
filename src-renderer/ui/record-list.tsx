/**
 * The list of a screen.
 */
import { useElementSize } from "@mantine/hooks";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import classes from "./row.module.css";
import { type CurrentRow, useRowList } from "./row-list.ts";

const ROW_HEIGHT = 60;
const OVERSCAN = 6;

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
  /** Of every row, in pixels; 60 if absent. */
  readonly rowHeight?: number;
  /** The columns of its rows, as CSS writes them; the second in a list of less than 600 px, without the `wide` cells. */
  readonly columns: readonly [wide: string, narrow: string];
  readonly renderRow: (item: T, focus: RowFocus) => ReactNode;
  readonly row: CurrentRow<unknown>;
  /** Scrolls with the rows, above them. */
  readonly head?: ReactNode;
  /** Called when the last row is in sight. */
  readonly onEnd?: () => void;
}

/** Rows of one height, newest first; a row that comes while the list is shown fades in, once. */
export const RecordList = <T extends { readonly id: string }>(props: RecordListProps<T>) => {
  const { items, rowHeight = ROW_HEIGHT } = props;
  const { currentId, setCurrentId, selectedId } = props.row;
  const head = useElementSize();
  const [seen] = useState(() => new Set(props.all.map((item) => item.id)));
  const found = items.findIndex((item) => item.id === currentId);
  const currentIndex = Math.max(0, found);
  const { scroller, rows } = useRowList({
    count: items.length,
    height: rowHeight,
    top: head.height,
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

  // Rows that come in above must not move what is being looked at.
  const topBefore = useRef(items[0]?.id);
  useLayoutEffect(() => {
    const above = items.findIndex((item) => item.id === topBefore.current);
    topBefore.current = items[0]?.id;
    // As the virtual list knows it: to ask the element would lay the page out once more for each change.
    if (above > 0 && scroller.current !== null && (rows.scrollOffset ?? 0) > head.height)
      scroller.current.scrollTop += above * rowHeight;
  }, [items, rowHeight, scroller, rows, head.height]);

  return (
    <div ref={scroller} className={classes["scroller"]}>
      {props.head && <div ref={head.ref}>{props.head}</div>}
      <ul
        aria-label={props.label}
        className={classes["list"]}
        style={{ height: items.length * rowHeight, "--wide": props.columns[0], "--narrow": props.columns[1] }}
      >
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const item = items[index];
          if (item === undefined) return null;
          const focus: RowFocus = {
            tabIndex: index === currentIndex ? 0 : -1,
            "data-row-link": item.id,
            onFocus: () => setCurrentId(item.id),
          };
          return (
            <li
              key={key}
              className={classes["item"]}
              data-row={index}
              style={{ height: rowHeight, transform: `translateY(${start - head.height}px)` }}
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
