import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useAddress } from "./address.ts";
import { RecordList, type RowFocus } from "./record-list.tsx";
import { Empty, Failed, LoadingRows } from "./states.tsx";

/** What a screen knows of its list. */
interface ReadList {
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
  readonly selectedId: string | null;
  readonly currentId: string | null;
  readonly onCurrent: (id: string) => void;
  readonly renderRow: (item: T, focus: RowFocus) => ReactNode;
}

const ROW_HEIGHT = 60;

/** The list of a screen in each of its states: loading, not to be read, empty, nothing found, rows. */
export const ListContent = <T extends { readonly id: string }>(props: ListContentProps<T>) => {
  const { list, all, shown, noneFits, empty, label, selectedId, currentId, onCurrent, renderRow } = props;
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
      rowHeight={ROW_HEIGHT}
      selectedId={selectedId}
      currentId={currentId}
      onCurrent={onCurrent}
      renderRow={renderRow}
    />
  );
};
