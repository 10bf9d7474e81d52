import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { Profile } from "#client/index.ts";
import type { SortField } from "#contract/service/profiles.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { sentence } from "#contract/words/words.ts";
import { keyOf, PAGE_ROWS, type ProfileList, useAnchor, useProfilePages } from "../../api/profile-pages.ts";
import { useApps } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { useKeys } from "../../ui/keys.ts";
import { useRowList } from "../../ui/record-list.tsx";
import look from "../../ui/row.module.css";
import { OTHER_USERNAME, ProfileRow } from "./profile-row.tsx";
import classes from "./profile-table.module.css";
import { directionOf, nextSort, placeOf, readSort } from "./profile-words.ts";
import { MOST_SELECTED, type Selection } from "./selection.tsx";

const ROW_HEIGHT = 36;
const OVERSCAN = 10;
/** How many rows beyond the rendered ones to load in advance. */
const AHEAD = 30;
const ARROWS = { ascending: "↑", descending: "↓", none: "" } as const;

/** A column that sorts. */
const SortHead = ({ field, className }: { readonly field: SortField; readonly className: string | undefined }) => {
  const { address, go } = useAddress();
  const sort = readSort(address.show);
  const direction = directionOf(sort, field);
  return (
    <th scope="col" aria-sort={direction} className={className}>
      <UnstyledButton fz="inherit" onClick={() => go({ show: nextSort(sort, field) }, { replace: true })}>
        {field === "createdAt" ? "Created" : sentence(field)} <span aria-hidden="true">{ARROWS[direction]}</span>
      </UnstyledButton>
    </th>
  );
};

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
    e: withHere((profile) => go({ id: placeOf(profile, address.app, "edit") })),
    "#": () => (here() === undefined && selection.profiles.size === 0 ? false : onDelete(here())),
  });

  const chosen = selection.profiles.size;
  const isAll = chosen >= Math.min(total, MOST_SELECTED);
  const isOneApp = list.appId !== null || apps.length < 2;
  const username = usernameField(appOf(list.appId) ?? apps[0] ?? { strategy: "phone" });
  return (
    <div ref={scroller} className={look["scroller"]}>
      <table
        className={classes["table"]}
        aria-label="Users"
        aria-rowcount={total + 1}
        aria-multiselectable="true"
        data-selecting={chosen > 0 || undefined}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are moved through and selected by keys
        role="grid"
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={classes["select"]}>
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
            <SortHead field="name" className={classes["name"]} />
            <SortHead field={username} className={classes["username"]} />
            <SortHead field={OTHER_USERNAME[username]} className={classes["other"]} />
            <th scope="col" className={classes["state"]}>
              <span className="spoken">State</span>
            </th>
            {!isOneApp && (
              <th scope="col" className={classes["app"]}>
                App
              </th>
            )}
            <SortHead field="createdAt" className={classes["created"]} />
            <th scope="col" className="spoken">
              Actions
            </th>
          </tr>
        </thead>
        <tbody style={{ height: rows.getTotalSize(), opacity: pages.before ? 0.55 : 1 }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const profile = pages.at(index);
            const id = profile === undefined ? null : placeOf(profile, address.app);
            return (
              <ProfileRow
                key={index}
                index={index}
                top={start}
                profile={profile}
                username={username}
                href={hrefWith({ id })}
                isOpen={profile !== undefined && keyOf(profile) === openKey}
                isSelected={profile !== undefined && selection.profiles.has(keyOf(profile))}
                isCurrent={index === currentIndex}
                appName={isOneApp || profile === undefined ? undefined : appName(profile.appId)}
                onFocus={() => setCurrent(index)}
                onOpen={() => {
                  setCurrent(index);
                  if (id !== null) go({ id });
                }}
                onSelect={(extend) => {
                  setCurrent(index);
                  if (extend) selection.extendTo(list, index);
                  else if (profile !== undefined) selection.toggle(profile, index);
                }}
                onDelete={onDelete}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
};
