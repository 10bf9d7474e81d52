import { Box } from "@mantine/core";
import type { KeyboardEvent, MouseEvent } from "react";
import { Link } from "wouter";
import type { Profile } from "#client/index.ts";
import type { UsernameField } from "#contract/service/strategies.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { shownName } from "../../api/queries.ts";
import { scenarioMark } from "../../shared/fault/scenario-words.ts";
import { RelativeTime } from "../../ui/parts.tsx";
import look from "../../ui/row.module.css";
import { RowActions } from "../../ui/row-actions.tsx";
import classes from "./profile-table.module.css";
import { userActions } from "./user-actions.tsx";

/** The username that users of other apps sign in with. */
export const OTHER_USERNAME: Readonly<Record<UsernameField, UsernameField>> = { phone: "email", email: "phone" };

/** A phone number or an email as people read it. */
const Username = ({ of }: { readonly of: string | null }) =>
  of !== null && <bdi className={of.startsWith("+") ? "mono" : "dim"}>{recipientText(of)}</bdi>;

interface CellsProps {
  readonly profile: Profile;
  /** What users of the list sign in with; where someone has none, the other one stands in its place. */
  readonly username: UsernameField;
  readonly href: string;
  readonly isOpen: boolean;
  /** Absent: one app is shown, or there is only one. */
  readonly appName: string | undefined;
}

const Cells = ({ profile, username, href, isOpen, appName }: CellsProps) => {
  const { name, scenario, testPasscode, createdAt, appId } = profile;
  const own = profile[username];
  const other = profile[OTHER_USERNAME[username]];
  return (
    <>
      <td className={`cut ${classes["name"]}`}>
        <Link
          href={href}
          tabIndex={-1}
          aria-current={isOpen ? "true" : undefined}
          data-none={!name?.trim() || undefined}
        >
          <bdi>{shownName(name)}</bdi>
        </Link>
      </td>
      <td className={`cut ${classes["username"]}`}>
        <Username of={own ?? other} />
      </td>
      <td className={`cut ${classes["other"]}`}>
        <Username of={own && other} />
      </td>
      <td className={`cut ${classes["state"]}`}>
        {scenario === null ? testPasscode && "Fixed code" : <span className="warn">{scenarioMark(scenario)}</span>}
      </td>
      {appName !== undefined && (
        <td className={`cut ${classes["app"]}`}>
          <bdi>{appName}</bdi>
        </td>
      )}
      <td className={classes["created"]}>
        <RelativeTime instant={createdAt} appId={appId} />
      </td>
    </>
  );
};

interface ProfileRowProps extends Omit<CellsProps, "profile"> {
  readonly index: number;
  /** Distance from the top of the table in pixels. */
  readonly top: number;
  /** Undefined until it is loaded. */
  readonly profile: Profile | undefined;
  readonly isSelected: boolean;
  /** Only the current row is in the tab order. */
  readonly isCurrent: boolean;
  readonly onFocus: () => void;
  readonly onOpen: () => void;
  /** @param extend from the row that was selected last to this one. */
  readonly onSelect: (extend: boolean) => void;
  readonly onDelete: (profile: Profile) => unknown;
}

/** A row of the list, or a placeholder. The row element has the focus, which loading must not lose. */
export const ProfileRow = (props: ProfileRowProps) => {
  const { index, top, profile, isSelected, isCurrent, onFocus, onOpen, onSelect, onDelete, ...cells } = props;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") onOpen();
    else if (event.key === " ") onSelect(event.shiftKey);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element) || event.target.closest("a, input, button") !== null) return;
    if (event.shiftKey) onSelect(true);
    else onOpen();
  };
  const name = shownName(profile?.name);
  const actions = () => {
    const remove = { label: "Delete", name: `Delete ${name}`, act: () => profile && onDelete(profile) };
    return profile === undefined ? [] : [...userActions(profile).slice(1), remove];
  };
  return (
    <tr
      className={`${look["item"]} ${classes["row"]}`}
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={isCurrent ? 0 : -1}
      data-row={index}
      data-selected={cells.isOpen || undefined}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-busy={profile === undefined || undefined}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {profile === undefined ? (
        <Box component="td" flex={1} h={8} maw={320} ms={30} bg="var(--sd-raised)" bdrs={4}>
          <span className="spoken">Loading</span>
        </Box>
      ) : (
        <>
          <td className={classes["select"]}>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Select ${name}`}
              checked={isSelected}
              // Handled by the click event, which has the Shift key.
              onChange={() => undefined}
              onClick={(event) => onSelect(event.shiftKey)}
            />
          </td>
          <Cells profile={profile} {...cells} />
          <td className={classes["actions"]}>
            <RowActions
              first={userActions(profile).slice(0, 1)}
              menu={`More for ${name}`}
              more={actions}
              tabIndex={isCurrent ? 0 : -1}
            />
          </td>
        </>
      )}
    </tr>
  );
};
