import type { ProfileSort } from "../../api/profile-pages.ts";
import classes from "./profile-table.module.css";
import { directionOf, nextSort, type SortField } from "./sort.ts";

interface ProfileHeadProps {
  readonly sort: ProfileSort;
  readonly onSort: (sort: ProfileSort | null) => void;
  readonly withApp: boolean;
  /** How much of the list is selected. */
  readonly selected: "none" | "some" | "all";
  readonly onSelectAll: () => void;
}

const ARROWS = { ascending: "↑", descending: "↓", none: "" } as const;

/** The columns; a press on one sorts by it. */
export const ProfileHead = ({ sort, onSort, withApp, selected, onSelectAll }: ProfileHeadProps) => {
  const column = (field: SortField, word: string, className?: string) => {
    const direction = directionOf(sort, field);
    return (
      <th scope="col" aria-sort={direction} className={className}>
        <button type="button" onClick={() => onSort(nextSort(sort, field))}>
          {word} <span aria-hidden="true">{ARROWS[direction]}</span>
        </button>
      </th>
    );
  };
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className={classes.check}>
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
        {column("email", "Email", classes.email)}
        {withApp && (
          <th scope="col" className={classes.app}>
            App
          </th>
        )}
        {column("createdAt", "Created", classes.created)}
        {column("updatedAt", "Updated", classes.updated)}
      </tr>
    </thead>
  );
};
