import { Box, Group, UnstyledButton } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { Profile } from "#client/index.ts";
import type { SortField } from "#contract/service/profiles.ts";
import { USERNAMES, type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { keyOf, PAGE_ROWS, type ProfileList, useAnchor, useProfilePages } from "../../api/profile-pages.ts";
import { shownName, useApps } from "../../api/queries.ts";
import { RowButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { useKeys } from "../../ui/keys.ts";
import { Pill, RelativeTime } from "../../ui/parts.tsx";
import { useRowList } from "../../ui/record-list.tsx";
import look from "../../ui/row.module.css";
import { RowMenu } from "../../ui/row-menu.tsx";
import classes from "./profile-table.module.css";
import { directionOf, nextSort, placeOf } from "./profile-words.ts";
import { MOST_SELECTED, type Selection } from "./selection.tsx";
import { createSessionFor } from "./session-state.tsx";
import { userActions } from "./user-actions.tsx";

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
  /** Of the controls in the row: only the current row's are in the tab order. */
  readonly tabIndex: 0 | -1;
}

type Cell = (props: CellProps) => ReactNode;

const NameCell: Cell = ({ profile: { name, testPasscode }, href, open }) => (
  <Group wrap="nowrap">
    <Link href={href} tabIndex={-1} className="cut" aria-current={open ? "true" : undefined}>
      {shownName(name) === name ? (
        <strong>
          <bdi>{name}</bdi>
        </strong>
      ) : (
        <span className="dim">{shownName(name)}</span>
      )}
    </Link>
    {testPasscode !== null && (
      <span data-room="middle">
        <Pill>fixed code</Pill>
      </span>
    )}
  </Group>
);

const SignInCell: Cell = ({ profile, tabIndex }) => (
  <RowButton label="Sign in" tabIndex={tabIndex} act={() => createSessionFor(profile)} />
);

type Room = "any" | "middle" | "wide";

/** Label, sort field of a click (null: none), where there is room for it, flex size, class, and content. */
type Column = readonly [
  word: string,
  field: SortField | null,
  room: Room,
  flex: number | string,
  className: string,
  cell: Cell,
];

const SHORT = "0 0 72px";
const COLUMNS: readonly Column[] = [
  ["Name", "name", "any", 1.1, "", NameCell],
  ["Phone", "phone", "any", "0 0 132px", "mono", ({ profile: { phone } }) => recipientText(phone ?? "")],
  ["Email", "email", "middle", 1.2, "dim", ({ profile: { email } }) => <bdi>{email}</bdi>],
  ["App", null, "wide", 0.6, "dim", ({ appName }) => <bdi>{appName}</bdi>],
  ["Created", "createdAt", "middle", SHORT, "dim", ({ profile: p }) => <RelativeTime instant={p.createdAt} {...p} />],
  ["Updated", "updatedAt", "wide", SHORT, "dim", ({ profile: p }) => <RelativeTime instant={p.updatedAt} {...p} />],
  ["Sign in", null, "wide", "0 0 64px", "", SignInCell],
  [
    "Actions",
    null,
    "any",
    "0 0 24px",
    "",
    ({ profile, tabIndex }) => (
      <RowMenu
        label={`Actions for ${shownName(profile.name)}`}
        items={() => userActions(profile)}
        tabIndex={tabIndex}
      />
    ),
  ],
];

interface ProfileTableProps {
  readonly list: ProfileList;
  /** The total number of rows; not zero. */
  readonly total: number;
  readonly selection: Selection;
  readonly openKey: string | null;
  /** Deletes the selection, or else this row. */
  readonly onDelete: (profile: Profile | undefined) => void;
}

const pageOf = (index: number): number => Math.floor(index / PAGE_ROWS) + 1;

/** All matching profiles as one long table. */
export const ProfileTable = ({ list, total, selection, openKey, onDelete }: ProfileTableProps) => {
  const { address, hrefWith, go } = useAddress();
  const { apps, appOf, appName } = useApps();
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
  // The username stays, however narrow the list is.
  const ownField = (appId: string | null): UsernameField =>
    usernameField(appOf(appId) ?? apps[0] ?? { strategy: "phone" });
  const roomOf = (field: SortField | null, room: Room, appId: string | null): Room => {
    if (field === null || !Object.hasOwn(USERNAMES, field)) return room;
    return field === ownField(appId) ? "any" : "middle";
  };

  const head = (
    <tr aria-rowindex={1}>
      <th scope="col">
        <input
          type="checkbox"
          aria-label="Select all"
          checked={isAll}
          ref={(box) => {
            if (box !== null) box.indeterminate = chosen > 0 && !isAll;
          }}
          onChange={() => (isAll ? selection.clear() : selection.all(list))}
        />
      </th>
      {columns.map(([word, field, room, flex]) => {
        const direction = field === null ? undefined : directionOf(list.sort, field);
        return (
          <th key={word} scope="col" aria-sort={direction} data-room={roomOf(field, room, list.appId)} style={{ flex }}>
            {field === null || direction === undefined ? (
              <span className={word === "App" ? undefined : "spoken"}>{word}</span>
            ) : (
              <UnstyledButton fz="inherit" onClick={() => go({ show: nextSort(list.sort, field) }, { replace: true })}>
                {word} <span aria-hidden="true">{ARROWS[direction]}</span>
              </UnstyledButton>
            )}
          </th>
        );
      })}
    </tr>
  );

  /** A row, or a placeholder until it is loaded. The row element has the focus, which loading must not lose. */
  const rowOf = (index: number, top: number): ReactNode => {
    const profile = pages.at(index);
    const id = profile === undefined ? null : placeOf(profile, address.app);
    const tabIndex = index === currentIndex ? 0 : -1;
    const isOpen = profile !== undefined && keyOf(profile) === openKey;
    const isSelected = profile !== undefined && selection.profiles.has(keyOf(profile));
    const onOpen = (): void => {
      setCurrent(index);
      if (id !== null) go({ id });
    };
    const onToggle = (extend: boolean): void => {
      setCurrent(index);
      if (extend) selection.extendTo(list, index);
      else if (profile !== undefined) selection.toggle(profile, index);
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter") onOpen();
      else if (event.key === " ") onToggle(event.shiftKey);
      else return;
      event.preventDefault();
    };
    return (
      <tr
        key={index}
        className={`${look["item"]} ${classes["row"]}`}
        style={{ transform: `translateY(${top}px)` }}
        tabIndex={tabIndex}
        data-row={index}
        data-selected={isOpen || undefined}
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        aria-busy={profile === undefined || undefined}
        onFocus={() => setCurrent(index)}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          if (!(event.target instanceof Element) || event.target.closest("a, input, button") !== null) return;
          if (event.shiftKey) onToggle(true);
          else onOpen();
        }}
      >
        {profile === undefined ? (
          <Box component="td" flex={1} h={8} maw={320} ms={32} bg="var(--sd-raised)" bdrs={4}>
            <span className="spoken">Loading</span>
          </Box>
        ) : (
          <>
            <td>
              <input
                type="checkbox"
                tabIndex={-1}
                aria-label={`Select ${shownName(profile.name)}`}
                checked={isSelected}
                // Handled by the click event, which has the Shift key.
                onChange={() => undefined}
                onClick={(event) => onToggle(event.shiftKey)}
              />
            </td>
            {columns.map(([word, field, room, flex, className, cell]) => (
              <td
                key={word}
                className={`cut ${className}`}
                data-room={roomOf(field, room, profile.appId)}
                style={{ flex }}
              >
                {cell({ profile, href: hrefWith({ id }), open: isOpen, appName: appName(profile.appId), tabIndex })}
              </td>
            ))}
          </>
        )}
      </tr>
    );
  };

  return (
    <div ref={scroller} className={look["scroller"]}>
      <table
        className={classes["table"]}
        aria-label="Profiles"
        aria-rowcount={total + 1}
        aria-multiselectable="true"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are moved through and selected by keys
        role="grid"
      >
        <thead>{head}</thead>
        <tbody style={{ height: rows.getTotalSize(), opacity: pages.before ? 0.55 : 1 }}>
          {rows.getVirtualItems().map(({ index, start }) => rowOf(index, start))}
        </tbody>
      </table>
    </div>
  );
};
