import type { KeyboardEvent } from "react";
import { Link } from "wouter";
import type { Profile } from "../../api/records.ts";
import { recipientText } from "../../ui/phone.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import classes from "./profile-table.module.css";

interface ProfileRowProps {
  readonly index: number;
  readonly top: number;
  /** Undefined: not read yet. */
  readonly profile: Profile | undefined;
  /** The app's name, where more than one app is shown. */
  readonly appName: string | undefined;
  readonly href: string;
  readonly open: boolean;
  readonly selected: boolean;
  /** Whether the row is in the tab order. */
  readonly current: boolean;
  readonly onCurrent: () => void;
  readonly onOpen: () => void;
  readonly onToggle: (range: boolean) => void;
}

const Cells = (props: ProfileRowProps & { readonly profile: Profile }) => {
  const { profile, selected, appName, href, open, onToggle } = props;
  const name = profile.name ?? "No name";
  return (
    <>
      <td className={classes.check}>
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
      <td className={classes.name}>
        <Link href={href} tabIndex={-1} className={classes.link} aria-current={open ? "true" : undefined}>
          <bdi data-none={profile.name === null || undefined}>{name}</bdi>
        </Link>
        {profile.testPasscode !== null && <span className={classes.pill}>test code</span>}
      </td>
      <td className="mono">{profile.phone === null ? "" : recipientText(profile.phone)}</td>
      <td className={classes.email}>
        <bdi>{profile.email}</bdi>
      </td>
      {appName !== undefined && (
        <td className={classes.app}>
          <bdi>{appName}</bdi>
        </td>
      )}
      <td className={classes.created}>
        <RelativeTime instant={profile.createdAt} appId={profile.appId} />
      </td>
      <td className={classes.updated}>
        <RelativeTime instant={profile.updatedAt} appId={profile.appId} />
      </td>
    </>
  );
};

/** One row; a quiet line where it is not read yet. The row itself has the focus, so that it outlives the reading. */
export const ProfileRow = (props: ProfileRowProps) => {
  const { index, top, profile, open, selected, current } = props;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") props.onOpen();
    else if (event.key === " ") props.onToggle(event.shiftKey);
    else return;
    event.preventDefault();
  };
  return (
    <tr
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={current ? 0 : -1}
      data-index={index}
      data-open={open || undefined}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-busy={profile === undefined || undefined}
      onFocus={props.onCurrent}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        if (!(event.target instanceof Element) || event.target.closest("a, input") !== null) return;
        if (event.shiftKey) props.onToggle(true);
        else props.onOpen();
      }}
    >
      {profile === undefined ? (
        <td className={classes.loading}>
          <span className="spoken">Loading</span>
        </td>
      ) : (
        <Cells {...props} profile={profile} />
      )}
    </tr>
  );
};
