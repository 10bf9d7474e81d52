/**
 * The table: only the rows in sight are drawn, one of them is in the tab order, j/k and the arrows move it.
 */
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import { PAGE_ROWS, type ProfileList, type ProfileSort } from "../../api/profile-pages.ts";
import type { App, Profile } from "../../api/records.ts";
import { useKeys } from "../../ui/keys.ts";
import { ProfileHead } from "./profile-head.tsx";
import { keyOf } from "./profile-place.ts";
import { ProfileRow } from "./profile-row.tsx";
import classes from "./profile-table.module.css";
import { MOST_SELECTED, type Selection } from "./selection.ts";
import { useAnchor } from "./use-anchor.ts";
import { type ProfileRows, useProfilePages } from "./use-profile-pages.ts";

const ROW_HEIGHT = 40;
const OVERSCAN = 10;
/** Rows beyond what is drawn whose page is read ahead. */
const AHEAD = 30;

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
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const [focusWanted, setFocusWanted] = useState<number | null>(null);
  const currentIndex = Math.min(current, total - 1);

  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    // The row with the focus stays drawn, or scrolling would throw the focus away.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range);
      return visible.includes(currentIndex) ? visible : [...visible, currentIndex].sort((a, b) => a - b);
    },
  });
  const range = virtual.range ?? { startIndex: 0, endIndex: 0 };
  const rows: ProfileRows = useProfilePages(list, [
    pageOf(Math.max(0, range.startIndex - AHEAD)),
    pageOf(Math.min(total - 1, range.endIndex + AHEAD)),
  ]);
  useAnchor(scroller, rows, ROW_HEIGHT, `${list.text} ${list.sort}`, (by) => setCurrent((index) => index + by));

  const moveTo = (index: number): void => {
    const target = Math.min(Math.max(index, 0), total - 1);
    virtual.scrollToIndex(target);
    setCurrent(target);
    setFocusWanted(target);
  };
  const inTable = (): boolean => scroller.current?.contains(document.activeElement) ?? false;
  const step = (by: number): void => moveTo(inTable() || openKey !== null ? currentIndex + by : currentIndex);
  const pageRows = Math.max(1, range.endIndex - range.startIndex - 1);
  const here = (): Profile | undefined => (inTable() || openKey !== null ? rows.at(currentIndex) : undefined);
  const withHere = (act: (profile: Profile) => void) => (): unknown => {
    const profile = here();
    return profile === undefined ? false : act(profile);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    arrowdown: () => step(1),
    arrowup: () => step(-1),
    pagedown: () => step(pageRows),
    pageup: () => step(-pageRows),
    home: () => moveTo(0),
    end: () => moveTo(total - 1),
    x: withHere((profile) => selection.toggle(profile, currentIndex)),
    X: withHere(() => selection.extendTo(list, currentIndex)),
    e: withHere(props.onEdit),
    "#": () => (here() === undefined && selection.profiles.size === 0 ? false : props.onDelete(here())),
  });

  useLayoutEffect(() => {
    if (focusWanted === null) return;
    const row = scroller.current?.querySelector(`[data-index="${focusWanted}"]`);
    if (row instanceof HTMLElement) row.focus({ preventScroll: true });
    setFocusWanted(null);
  }, [focusWanted]);

  // The detail was closed and took the focus with it: back to the row it belonged to.
  const openBefore = useRef(openKey);
  useLayoutEffect(() => {
    if (openKey === null && openBefore.current !== null && document.activeElement === document.body)
      setFocusWanted(currentIndex);
    openBefore.current = openKey;
  }, [openKey, currentIndex]);

  const chosen = selection.profiles.size;
  const withApp = list.appId === null && apps.length > 1;
  return (
    <div ref={scroller} className={classes.scroller} data-before={rows.before || undefined}>
      <table
        className={classes.table}
        data-app={withApp || undefined}
        aria-label="Profiles"
        aria-rowcount={total + 1}
        aria-multiselectable="true"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are moved through and selected by keys
        role="grid"
      >
        <ProfileHead
          sort={list.sort}
          onSort={props.onSort}
          withApp={withApp}
          selected={chosen === 0 ? "none" : chosen >= Math.min(total, MOST_SELECTED) ? "all" : "some"}
          onSelectAll={() => (chosen >= Math.min(total, MOST_SELECTED) ? selection.clear() : selection.all(list))}
        />
        <tbody style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const profile = rows.at(index);
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
