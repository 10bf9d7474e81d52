import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useAddress } from "./address.ts";
import { RecordList, type RowFocus } from "./record-list.tsx";
import type { CurrentRow } from "./row-list.ts";
import { Empty, Failed, LoadingRows } from "./states.tsx";

/** What a screen knows of its list: a query. */
export interface ReadList {
  /** Undefined until it was read once. */
  readonly data: unknown;
  /** Null: the last reading went well, or there was none. */
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface ListContentProps<T> {
  /** Names the list: `Passcodes`. */
  readonly label: string;
  readonly list: ReadList;
  /** All that there is. */
  readonly all: readonly T[];
  /** What search and filter let through. */
  readonly shown: readonly T[];
  /** In the place of the list when there is nothing yet. */
  readonly empty: ReactNode;
  /** Where `show` in the address is a filter: the words when it lets nothing through. */
  readonly noneFits?: string;
  readonly row: CurrentRow<T>;
  /** Called when the last row is in sight. */
  readonly onEnd?: () => void;
  readonly renderRow: (item: T, focus: RowFocus) => ReactNode;
  /** @see RecordList */
  readonly columns: readonly [wide: string, narrow: string];
  /** @see RecordList */
  readonly head?: ReactNode;
}

/** The list of a screen in each of its states: loading, not to be read, empty, nothing found, rows. */
export const ListContent = <T extends { readonly id: string }>(props: ListContentProps<T>) => {
  const { list, all, shown, noneFits, empty, label, row, onEnd, renderRow, columns, head } = props;
  const { address, go } = useAddress();
  // What was read before outlives a reading that failed: while the server is away, it is what there is to show.
  if (list.data === undefined)
    return list.error === null ? <LoadingRows /> : <Failed error={list.error} onRetry={() => list.refetch()} />;
  if (all.length === 0) return empty;
  if (shown.length === 0)
    return (
      <Empty title={noneFits !== undefined && address.q === "" ? noneFits : `Nothing found for “${address.q}”`}>
        <Button onClick={() => go(noneFits === undefined ? { q: "" } : { show: null, q: "" })}>
          Show all {all.length}
        </Button>
      </Empty>
    );
  return (
    <RecordList
      label={label}
      items={shown}
      all={all}
      columns={columns}
      row={row}
      head={head}
      {...(onEnd && { onEnd })}
      renderRow={renderRow}
    />
  );
};
