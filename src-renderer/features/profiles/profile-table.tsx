import { UnstyledButton } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { App, Profile } from "#client/index.ts";
import {
  keyOf,
  PAGE_ROWS,
  type ProfileList,
  type ProfileSort,
  useAnchor,
  useProfilePages,
} from "../../api/profile-pages.ts";
import { shownName } from "../../api/queries.ts";
import { RowButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { useKeys } from "../../ui/keys.ts";
import { Pill, RelativeTime } from "../../ui/parts.tsx";
import { useRowList } from "../../ui/record-list.tsx";
import look from "../../ui/row.module.css";
import { recipientText } from "../../ui/words.ts";
import { signInAs } from "../sessions/session-state.tsx";
import classes from "./profile-table.module.css";
import { directionOf, nextSort, placeOf, type SortField } from "./profile-words.ts";
import { MOST_SELECTED, type Selection } from "./selection.tsx";

const ROW_HEIGHT = 40;
const OVERSCAN = 10;
/** How many rows beyond the rendered ones to load in advance. */
const AHEAD = 30;
const ARROWS = { ascending: "↑", descending: "↓", none: "" } as const;

interface CellProps {
  readonly profile: Profile;
  readonly href: string;
  readonly open: boolean;
  readonly appName: string;
}

type Cell = (props: CellProps) => ReactNode;

const NameCell: Cell = ({ profile: { name, testPasscode }, href, open }) => (
  <>
    <Link href={href} tabIndex={-1} className={classes["link"]} aria-current={open ? "true" : undefined}>
      <bdi data-none={shownName(name) !== name || undefined}>{shownName(name)}</bdi>
    </Link>
    {testPasscode !== null && (
      <span data-room="middle">
        <Pill>test code</Pill>
      </span>
    )}
  </>
);

/** Label, sort field of a click (null: none), width, class, and content. */
type Column = readonly [
  word: string,
  field: SortField | null,
  room: "any" | "middle" | "wide",
  className: string,
  cell: Cell,
];

const COLUMNS: readonly Column[] = [
  ["Name", "name", "any", classes["name"] ?? "", NameCell],
  ["Phone", "phone", "any", "mono", ({ profile: { phone } }) => recipientText(phone ?? "")],
  ["Email", "email", "middle", "dim", ({ profile: { email } }) => <bdi>{email}</bdi>],
  ["App", null, "wide", "dim", ({ appName }) => <bdi>{appName}</bdi>],
  ["Created", "createdAt", "middle", "dim", ({ profile: at }) => <RelativeTime instant={at.createdAt} {...at} />],
  ["Updated", "updatedAt", "wide", "dim", ({ profile: at }) => <RelativeTime instant={at.updatedAt} {...at} />],
  ["Sign in", null, "wide", "", ({ profile }) => <RowButton label="Sign in" act={() => signInAs(profile)} />],
];

interface RowProps extends Omit<CellProps, "profile"> {
  readonly index: number;
  readonly top: number;
  /** Undefined until loaded. */
  readonly profile: Profile | undefined;
  readonly columns: readonly Column[];
  readonly selected: boolean;
  /** Whether the row is in the tab order. */
  readonly current: boolean;
  readonly onCurrent: () => void;
  readonly onOpen: () => void;
  readonly onToggle: (range: boolean) => void;
}

/** A row, or a placeholder until it is loaded. The row element has the focus, which loading must not lose. */
const ProfileRow = ({ index, top, profile, columns, selected, current, ...props }: RowProps) => {
  const { open, onCurrent, onOpen, onToggle } = props;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") onOpen();
    else if (event.key === " ") onToggle(event.shiftKey);
    else return;
    event.preventDefault();
  };
  return (
    <tr
      className={`${look["item"]} ${classes["row"]}`}
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={current ? 0 : -1}
      data-row={index}
      data-selected={open || undefined}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-busy={profile === undefined || undefined}
      onFocus={onCurrent}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        if (!(event.target instanceof Element) || event.target.closest("a, input, button") !== null) return;
        if (event.shiftKey) onToggle(true);
        else onOpen();
      }}
    >
      {profile === undefined ? (
        <td className={classes["loading"]}>
          <span className="spoken">Loading</span>
        </td>
      ) : (
        <>
          <td className={classes["check"]}>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Select ${shownName(profile.name)}`}
              checked={selected}
              // Handled by the click event, which has the Shift key.
              onChange={() => undefined}
              onClick={(event) => onToggle(event.shiftKey)}
            />
          </td>
          {columns.map(([word, , room, className, cell]) => (
            <td key={word} className={className} data-room={room}>
              {cell({ ...props, profile })}
            </td>
          ))}
        </>
      )}
    </tr>
  );
};

interface HeadProps {
  readonly columns: readonly Column[];
  readonly sort: ProfileSort;
  readonly selected: "none" | "some" | "all";
  readonly onSort: (sort: ProfileSort | null) => void;
  readonly onSelectAll: () => void;
}

const Head = ({ columns, sort, selected, onSort, onSelectAll }: HeadProps) => (
  <thead>
    <tr aria-rowindex={1}>
      <th scope="col" className={classes["check"]}>
        <input
          type="checkbox"
          aria-label="Select all"
          checked={selected === "all"}
          ref={(box) => {
            if (box !== null) box.indeterminate = selected === "some";
          }}
          onChange={onSelectAll}
        />
      </th>
      {columns.map(([word, field, room]) => {
        const direction = field === null ? "none" : directionOf(sort, field);
        return (
          <th key={word} scope="col" aria-sort={field === null ? undefined : direction} data-room={room}>
            {field === null ? (
              <span className={word === "App" ? undefined : "spoken"}>{word}</span>
            ) : (
              <UnstyledButton fz="inherit" onClick={() => onSort(nextSort(sort, field))}>
                {word} <span aria-hidden="true">{ARROWS[direction]}</span>
              </UnstyledButton>
            )}
          </th>
        );
      })}
    </tr>
  </thead>
);

interface ProfileTableProps {
  readonly list: ProfileList;
  /** The total number of rows; not zero. */
  readonly total: number;
  readonly apps: readonly App[];
  readonly selection: Selection;
  readonly openKey: string | null;
  /** Deletes the selection, or else this row. */
  readonly onDelete: (profile: Profile | undefined) => void;
}

const pageOf = (index: number): number => Math.floor(index / PAGE_ROWS) + 1;

/** All matching profiles as one long table. */
export const ProfileTable = ({ list, total, apps, selection, openKey, onDelete }: ProfileTableProps) => {
  const { address, hrefWith, go } = useAddress();
  const [current, setCurrent] = useState(0);
  const currentIndex = Math.min(current, total - 1);
  const { scroller, rows, step, isInside } = useRowList({
    count: total,
    height: ROW_HEIGHT,
    current: currentIndex,
    onCurrent: setCurrent,
    open: openKey !== null,
    keyOf: (index) => index,
    overscan: OVERSCAN,
  });
  const range = rows.range ?? { startIndex: 0, endIndex: 0 };
  const pages = useProfilePages(list, [
    pageOf(Math.max(0, range.startIndex - AHEAD)),
    pageOf(Math.min(total - 1, range.endIndex + AHEAD)),
  ]);
  useAnchor(scroller, pages, ROW_HEIGHT, `${list.text} ${list.sort}`, (by) => setCurrent((index) => index + by));

  const pageRows = Math.max(1, range.endIndex - range.startIndex - 1);
  const here = (): Profile | undefined => (isInside() || openKey !== null ? pages.at(currentIndex) : undefined);
  const withHere = (act: (profile: Profile) => void) => (): unknown => {
    const profile = here();
    return profile === undefined ? false : act(profile);
  };
  useKeys({
    pagedown: () => step(pageRows),
    pageup: () => step(-pageRows),
    x: withHere((profile) => selection.toggle(profile, currentIndex)),
    X: withHere(() => selection.extendTo(list, currentIndex)),
    e: withHere((profile) => go({ id: placeOf(profile, address.app, true) })),
    "#": () => (here() === undefined && selection.profiles.size === 0 ? false : onDelete(here())),
  });

  const chosen = selection.profiles.size;
  const isAll = chosen >= Math.min(total, MOST_SELECTED);
  const withApp = list.appId === null && apps.length > 1;
  const columns = withApp ? COLUMNS : COLUMNS.filter(([word]) => word !== "App");
  return (
    <div
      ref={scroller}
      className={`${look["scroller"]} ${classes["scroller"]}`}
      data-before={pages.before || undefined}
    >
      <table
        className={classes["table"]}
        data-app={withApp || undefined}
        aria-label="Profiles"
        aria-rowcount={total + 1}
        aria-multiselectable="true"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are moved through and selected by keys
        role="grid"
      >
        <Head
          columns={columns}
          sort={list.sort}
          onSort={(show) => go({ show }, { replace: true })}
          selected={chosen === 0 ? "none" : isAll ? "all" : "some"}
          onSelectAll={() => (isAll ? selection.clear() : selection.all(list))}
        />
        <tbody style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const profile = pages.at(index);
            const key = profile === undefined ? null : keyOf(profile);
            const id = profile === undefined ? null : placeOf(profile, address.app);
            return (
              <ProfileRow
                key={index}
                index={index}
                top={start}
                profile={profile}
                columns={columns}
                appName={apps.find((app) => app.appId === profile?.appId)?.name ?? ""}
                href={hrefWith({ id })}
                open={key !== null && key === openKey}
                selected={key !== null && selection.profiles.has(key)}
                current={index === currentIndex}
                onCurrent={() => setCurrent(index)}
                onOpen={() => {
                  setCurrent(index);
                  if (id !== null) go({ id });
                }}
                onToggle={(extend) => {
                  setCurrent(index);
                  if (extend) selection.extendTo(list, index);
                  else if (profile !== undefined) selection.toggle(profile, index);
                }}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
};
