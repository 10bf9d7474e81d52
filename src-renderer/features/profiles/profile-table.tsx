/**
 * The table of the profiles: as many rows as fit are drawn, and read when they are.
 */
import { type KeyboardEvent, useState } from "react";
import { Link } from "wouter";
import type { App, Profile } from "#client/index.ts";
import { shownName } from "../../api/profile.ts";
import { PAGE_ROWS, type ProfileList, type ProfileSort } from "../../api/profile-pages.ts";
import { RowButton } from "../../ui/action.tsx";
import { Pill } from "../../ui/chips.tsx";
import { useKeys } from "../../ui/keys.ts";
import { RelativeTime } from "../../ui/now.tsx";
import { recipientText } from "../../ui/phone.ts";
import { useRowList } from "../../ui/record-list.tsx";
import look from "../../ui/row.module.css";
import { signInAs } from "../../ui/sign-in.tsx";
import { useAnchor, useProfilePages } from "./profile-rows.ts";
import classes from "./profile-table.module.css";
import { directionOf, keyOf, nextSort, type SortField } from "./profile-words.ts";
import { MOST_SELECTED, type Selection } from "./selection.tsx";

const ROW_HEIGHT = 40;
const OVERSCAN = 10;
/** Rows beyond what is drawn whose page is read ahead. */
const AHEAD = 30;
const ARROWS = { ascending: "↑", descending: "↓", none: "" } as const;

interface CellsProps {
  readonly profile: Profile;
  readonly href: string;
  readonly open: boolean;
  readonly selected: boolean;
  /** The app's name, where more than one app is shown. */
  readonly appName: string | undefined;
  readonly onToggle: (range: boolean) => void;
}

const Cells = ({ profile, selected, appName, href, open, onToggle }: CellsProps) => {
  const name = shownName(profile.name);
  return (
    <>
      <td className={classes["check"]}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${name}`}
          checked={selected}
          // The click tells of Shift, the change does not.
          onChange={() => undefined}
          onClick={(event) => onToggle(event.shiftKey)}
        />
      </td>
      <td className={classes["name"]}>
        <Link href={href} tabIndex={-1} className={classes["link"]} aria-current={open ? "true" : undefined}>
          <bdi data-none={name !== profile.name || undefined}>{name}</bdi>
        </Link>
        {profile.testPasscode !== null && (
          <span data-middle>
            <Pill>test code</Pill>
          </span>
        )}
      </td>
      <td className="mono">{profile.phone === null ? "" : recipientText(profile.phone)}</td>
      <td className="dim" data-middle>
        <bdi>{profile.email}</bdi>
      </td>
      {appName !== undefined && (
        <td className="dim" data-wide>
          <bdi>{appName}</bdi>
        </td>
      )}
      <td className="dim" data-middle>
        <RelativeTime instant={profile.createdAt} appId={profile.appId} />
      </td>
      <td className="dim" data-wide>
        <RelativeTime instant={profile.updatedAt} appId={profile.appId} />
      </td>
      <td data-wide>
        <RowButton label="Sign in" act={() => signInAs(profile)} />
      </td>
    </>
  );
};

interface RowProps extends Omit<CellsProps, "profile"> {
  readonly index: number;
  readonly top: number;
  /** Undefined: not read yet. */
  readonly profile: Profile | undefined;
  /** Whether the row is in the tab order. */
  readonly current: boolean;
  readonly onCurrent: () => void;
  readonly onOpen: () => void;
}

/** One row; a quiet line where it is not read yet. The row itself has the focus, so that it outlives the reading. */
const ProfileRow = ({ index, top, profile, current, onCurrent, onOpen, ...cells }: RowProps) => {
  const { open, selected, onToggle } = cells;
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
        <Cells {...cells} profile={profile} />
      )}
    </tr>
  );
};

interface HeadProps {
  readonly sort: ProfileSort;
  readonly withApp: boolean;
  /** How much of the list is selected. */
  readonly selected: "none" | "some" | "all";
  readonly onSort: (sort: ProfileSort | null) => void;
  readonly onSelectAll: () => void;
}

const Head = ({ sort, withApp, selected, onSort, onSelectAll }: HeadProps) => {
  const column = (field: SortField, word: string, shown: { "data-wide"?: true; "data-middle"?: true } = {}) => {
    const direction = directionOf(sort, field);
    return (
      <th scope="col" aria-sort={direction} {...shown}>
        <button type="button" onClick={() => onSort(nextSort(sort, field))}>
          {word} <span aria-hidden="true">{ARROWS[direction]}</span>
        </button>
      </th>
    );
  };
  return (
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
        {column("name", "Name")}
        {column("phone", "Phone")}
        {column("email", "Email", { "data-middle": true })}
        {withApp && (
          <th scope="col" data-wide>
            App
          </th>
        )}
        {column("createdAt", "Created", { "data-middle": true })}
        {column("updatedAt", "Updated", { "data-wide": true })}
        <th scope="col" data-wide>
          <span className="spoken">Sign in</span>
        </th>
      </tr>
    </thead>
  );
};

interface ProfileTableProps {
  readonly list: ProfileList;
  /** What is known of the list's beginning; it has rows. */
  readonly total: number;
  readonly apps: readonly App[];
  readonly selection: Selection;
  readonly openKey: string | null;
  readonly hrefOf: (profile: Profile) => string;
  readonly onOpen: (profile: Profile) => void;
  readonly onEdit: (profile: Profile) => void;
  readonly onSort: (sort: ProfileSort | null) => void;
  /** Deletes what is selected, else this row. */
  readonly onDelete: (profile: Profile | undefined) => void;
}

const pageOf = (index: number): number => Math.floor(index / PAGE_ROWS) + 1;

/** All profiles that fit, as one long table. */
export const ProfileTable = (props: ProfileTableProps) => {
  const { list, total, apps, selection, openKey, onOpen } = props;
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
    e: withHere(props.onEdit),
    "#": () => (here() === undefined && selection.profiles.size === 0 ? false : props.onDelete(here())),
  });

  const chosen = selection.profiles.size;
  const isAll = chosen >= Math.min(total, MOST_SELECTED);
  const withApp = list.appId === null && apps.length > 1;
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
          sort={list.sort}
          onSort={props.onSort}
          withApp={withApp}
          selected={chosen === 0 ? "none" : isAll ? "all" : "some"}
          onSelectAll={() => (isAll ? selection.clear() : selection.all(list))}
        />
        <tbody style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const profile = pages.at(index);
            const key = profile === undefined ? null : keyOf(profile);
            return (
              <ProfileRow
                key={index}
                index={index}
                top={start}
                profile={profile}
                appName={withApp ? (apps.find((app) => app.appId === profile?.appId)?.name ?? "") : undefined}
                href={profile === undefined ? "" : props.hrefOf(profile)}
                open={key !== null && key === openKey}
                selected={key !== null && selection.profiles.has(key)}
                current={index === currentIndex}
                onCurrent={() => setCurrent(index)}
                onOpen={() => {
                  setCurrent(index);
                  if (profile !== undefined) onOpen(profile);
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
