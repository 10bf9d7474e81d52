/** A screen with a list and the detail of one row: loading, error, empty, no match, rows; shortcuts and dead links. */
import { type QueryFunction, type QueryKey, type SkipToken, useQuery } from "@tanstack/react-query";
import type { PropsWithChildren, ReactNode } from "react";
import { Link } from "wouter";
import { sentence } from "#contract/words/words.ts";
import { TextButton } from "./action.tsx";
import { type Address, useAddress } from "./address.ts";
import { type Keys, useKeys } from "./keys.ts";
import { FilterChips } from "./parts.tsx";
import { RecordList, type RecordListProps, type RowFocus, useCurrentRow } from "./record-list.tsx";
import classes from "./row.module.css";
import { DetailPanel, Empty, Loaded, Screen } from "./screen.tsx";

interface RowProps {
  readonly ended?: boolean;
  /** `RowActions`, over the last cells. */
  readonly actions?: ReactNode;
}

/** A list row, its cells on one baseline; fainter if it has ended. */
export const Row = ({ ended = false, actions, children }: PropsWithChildren<RowProps>) => (
  <>
    <div className={classes["row"]} data-ended={ended || undefined}>
      {children}
    </div>
    {actions}
  </>
);

/** The position of a row, for its `RowLink`. */
export interface RowPlace {
  readonly href: string;
  readonly selected: boolean;
  readonly focus: RowFocus;
}

/** The link that covers the whole row. */
export const RowLink = (props: PropsWithChildren<RowPlace & { readonly title?: string }>) => {
  const { href, selected, focus, title, children } = props;
  return (
    <Link {...focus} href={href} className={classes["link"]} title={title} aria-current={selected ? "true" : undefined}>
      <bdi>{children}</bdi>
    </Link>
  );
};

interface ListContentProps<T> extends RecordListProps<T> {
  readonly list: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown };
  readonly empty: ReactNode;
  readonly noneFits?: string | undefined;
}

/** The list of a screen in each state: loading, error, empty, no match, rows. */
export const ListContent = <T extends { readonly id: string }>(props: ListContentProps<T>) => {
  const { list, empty, noneFits, ...rows } = props;
  const { address, go } = useAddress();
  const content = (): ReactNode => {
    if (rows.all.length === 0) return empty;
    if (rows.items.length > 0) return <RecordList {...rows} />;
    const title = noneFits !== undefined && address.q === "" ? noneFits : `Nothing found for “${address.q}”`;
    return (
      <Empty title={title}>
        <TextButton onClick={() => go(noneFits === undefined ? { q: "" } : { show: null, q: "" })} label="Show all" />
      </Empty>
    );
  };
  return <Loaded of={list}>{content}</Loaded>;
};

interface ListScreenProps<T> extends Omit<ListContentProps<T>, "items" | "label" | "noneFits" | "renderRow" | "row"> {
  readonly noun: string;
  readonly title?: string;
  readonly label?: string;
  /** Whether a row passes the filter and the search; all of them if absent. */
  readonly fits?: (item: T) => boolean;
  readonly filters?: readonly string[];
  readonly tools?: ReactNode;
  readonly above?: ReactNode;
  readonly note?: ReactNode;
  /** Whether the URL refers to a row; by id if absent. */
  readonly has?: (item: T, id: string) => boolean;
  /** Loads a linked row that is not in the list. */
  readonly linked?: (id: string) => { queryKey: QueryKey; queryFn?: QueryFunction<T | null> | SkipToken };
  readonly creating?: ReactNode;
  readonly row: (item: T, place: RowPlace) => ReactNode;
  readonly detail: (item: T, close: () => void) => ReactNode;
  /** Shortcuts. @param current the row that they apply to. */
  readonly keys?: (current: T | undefined) => Keys;
  /** What to remove from the URL with the id when the detail closes. */
  readonly closed?: Partial<Address>;
}

/** Shows that a linked record no longer exists. */
export const Gone = ({ noun, onClose }: { readonly noun: string; readonly onClose: () => void }) => (
  <DetailPanel label={`No such ${noun}`} title={`${sentence(noun)} not found`} onClose={onClose}>
    <p>It was deleted, or it belongs to another app.</p>
  </DetailPanel>
);

/** The list, and next to it the row in the URL. */
export const ListScreen = <T extends { readonly id: string }>(props: ListScreenProps<T>) => {
  const { noun, title = `${sentence(noun)}s`, filters, tools, above, note, creating, ...rest } = props;
  const { row, detail, keys, closed, fits, linked, has, ...content } = rest;
  const { list, all } = content;
  const { address, hrefWith, go } = useAddress();
  const { id } = address;
  const items = fits === undefined ? all : all.filter(fits);
  const listed = id === null ? undefined : all.find((item) => has?.(item, id) ?? item.id === id);
  const isElsewhere = !creating && id !== null && list.data !== undefined && listed === undefined;
  const found = useQuery({
    ...(linked?.(id ?? "") ?? { queryKey: ["none"] }),
    enabled: isElsewhere && linked !== undefined,
  });
  const selected = creating ? undefined : (listed ?? (isElsewhere ? (found.data ?? undefined) : undefined));
  const current = useCurrentRow(items, selected);
  useKeys(keys?.(current.current) ?? {});
  const close = (): void => {
    if (selected !== undefined) current.setCurrentId(selected.id);
    go({ id: null, ...closed });
  };
  const choices = filters && [[null, "All"] as const, ...filters.map((value) => [value, sentence(value)] as const)];
  const isGone = isElsewhere && (linked === undefined || found.data === null);
  return (
    <Screen
      title={title}
      tools={
        <>
          {choices && all.length > 0 && <FilterChips label="Filter" choices={choices} />}
          {tools}
        </>
      }
      note={all.length > 0 && note}
      detail={creating || (selected && detail(selected, close)) || (isGone && <Gone noun={noun} onClose={close} />)}
    >
      {above}
      <ListContent
        label={title}
        {...content}
        items={items}
        noneFits={filters && `No ${noun} matches this filter`}
        row={current}
        renderRow={(item, focus) =>
          row(item, { focus, href: hrefWith({ ...closed, id: item.id }), selected: item.id === selected?.id })
        }
      />
    </Screen>
  );
};
