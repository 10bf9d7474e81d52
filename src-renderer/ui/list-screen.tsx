/**
 * A screen that is a list with the detail of one row: loading, failed, empty, nothing found, rows; keys, and dead links.
 */
import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Address, useAddress } from "./address.ts";
import { FilterChips } from "./chips.tsx";
import { DetailPanel, PanelHead } from "./detail-panel.tsx";
import { type Keys, useKeys } from "./keys.ts";
import { ListContent, type ReadList } from "./list-content.tsx";
import type { RowFocus } from "./record-list.tsx";
import { useCurrentRow } from "./row-list.ts";
import { Screen } from "./screen.tsx";

/** Where a row stands, for its `RowLink`. */
export interface RowPlace {
  readonly href: string;
  readonly selected: boolean;
  readonly focus: RowFocus;
}

type Linked<T> = UseQueryOptions<T | null, Error, T | null, string[]>;

interface ListScreenProps<T> {
  readonly title: string;
  /** Names the list; its title if absent. */
  readonly label?: string;
  /** One row in a word: `session`. */
  readonly noun: string;
  readonly list: ReadList;
  /** @see RecordList */
  readonly columns: readonly [wide: string, narrow: string];
  /** All that there is. */
  readonly all: readonly T[];
  /** What search and filter let through. */
  readonly shown: readonly T[];
  /** In the place of the list when there is nothing yet. */
  readonly empty: ReactNode;
  /** @see FilterChips */
  readonly filters?: readonly (readonly [value: string | null, word: string])[];
  /** Beside the title. */
  readonly tools?: ReactNode;
  /** Between the title and the list. */
  readonly above?: ReactNode;
  /** A word on the order, or how much is shown. */
  readonly note?: ReactNode;
  /** Reads a row that a link points at and the list does not hold. */
  readonly linked?: (id: string) => Linked<T>;
  /** The panel in which a new one is made, while it is open. */
  readonly creating?: ReactNode;
  readonly row: (item: T, place: RowPlace) => ReactNode;
  readonly detail: (item: T, close: () => void) => ReactNode;
  /** What keys do. @param current the row that the keys are on. */
  readonly keys?: (current: T | undefined) => Keys;
  /** What the address loses with the detail, besides the id. */
  readonly closed?: Partial<Address>;
  /** Called when the last row is in sight. */
  readonly onEnd?: () => void;
}

const noLink = <T,>(): Linked<T> => ({ queryKey: ["none"] });

/** Says that what a link points at is gone. */
export const Gone = ({ noun, onClose }: { readonly noun: string; readonly onClose: () => void }) => (
  <DetailPanel label={`No such ${noun}`} onClose={onClose}>
    <PanelHead title={`This ${noun} is gone`} />
    <p>It was deleted, or it belongs to another app.</p>
  </DetailPanel>
);

/** The list, and beside it the row that the address names. */
export const ListScreen = <T extends { readonly id: string }>(props: ListScreenProps<T>) => {
  const { title, noun, list, all, shown, filters, creating, closed, onEnd, linked = noLink } = props;
  const { address, hrefWith, go } = useAddress();
  const { id } = address;
  const listed = all.find((item) => item.id === id);
  const isElsewhere = !creating && id !== null && list.data !== undefined && listed === undefined;
  const found = useQuery({ ...linked(id ?? ""), enabled: isElsewhere && props.linked !== undefined });
  const selected = creating ? undefined : (listed ?? (isElsewhere ? (found.data ?? undefined) : undefined));
  const current = useCurrentRow(shown, selected);
  useKeys(props.keys?.(current.current) ?? {});
  const close = (): void => {
    if (selected !== undefined) current.setCurrentId(selected.id);
    go({ id: null, ...closed });
  };
  const isGone = isElsewhere && (props.linked === undefined || found.data === null);
  return (
    <Screen
      title={title}
      tools={
        <>
          {filters !== undefined && all.length > 0 && <FilterChips label="Filter" choices={filters} />}
          {props.tools}
        </>
      }
      note={all.length > 0 && props.note}
      detail={
        creating || (selected && props.detail(selected, close)) || (isGone && <Gone noun={noun} onClose={close} />)
      }
    >
      {props.above}
      <ListContent
        label={props.label ?? title}
        list={list}
        columns={props.columns}
        all={all}
        shown={shown}
        empty={props.empty}
        {...(filters && { noneFits: `No ${noun} matches this filter` })}
        {...(onEnd && { onEnd })}
        row={current}
        renderRow={(item, focus) =>
          props.row(item, { focus, href: hrefWith({ ...closed, id: item.id }), selected: item.id === selected?.id })
        }
      />
    </Screen>
  );
};
