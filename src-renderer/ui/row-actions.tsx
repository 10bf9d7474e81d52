import { Menu, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { complain } from "./action.tsx";
import classes from "./row.module.css";

/** Something that can be done with a row. */
export interface RowAction {
  /** In the row or the menu: `Revoke`. */
  readonly label: string;
  /** For screen readers, if more: `Revoke the session of Ada Lovelace`. */
  readonly name?: string;
  readonly act: () => unknown;
  readonly disabled?: boolean;
}

const run = (act: () => unknown): void => void Promise.resolve(act()).catch(complain);

interface ActionsMenuProps {
  /** The accessible name of the button: `More actions for Ada Lovelace`. */
  readonly label: string;
  readonly items: () => readonly RowAction[];
  readonly tabIndex?: 0 | -1;
  /** On the button, if more than `⋯`. */
  readonly word?: string;
  /** In a row: smaller, without a frame. */
  readonly inRow?: boolean;
  /** Called when it opens or closes. */
  readonly onMenu?: (isOpen: boolean) => void;
}

/** `⋯`: what else can be done. Until it is opened it is a plain button, since there are dozens of rows. */
export const ActionsMenu = (props: ActionsMenuProps) => {
  const { label, items, tabIndex = 0, word = "⋯", inRow = false, onMenu = () => undefined } = props;
  const [wasOpened, setWasOpened] = useState(false);
  const button = {
    className: classes[inRow ? "act" : "more"] ?? "",
    "aria-label": label,
    tabIndex,
    children: word,
  } as const;
  const open = (): void => {
    setWasOpened(true);
    onMenu(true);
  };
  if (!wasOpened) return <UnstyledButton {...button} aria-haspopup="menu" onClick={open} />;
  return (
    <Menu
      defaultOpened
      withinPortal={inRow}
      portalProps={{ target: "#content" }}
      position="bottom-end"
      onChange={onMenu}
    >
      <Menu.Target>
        <UnstyledButton {...button} />
      </Menu.Target>
      <Menu.Dropdown>
        {items().map((item) => (
          <Menu.Item
            key={item.label}
            disabled={item.disabled === true}
            aria-label={item.name}
            onClick={() => run(item.act)}
          >
            {item.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

interface RowActionsProps {
  readonly first: readonly RowAction[];
  readonly menu: string;
  readonly more: () => readonly RowAction[];
  readonly tabIndex: 0 | -1;
}

/** What can be done with a row: over its last cells, while the pointer or the focus is in it. */
export const RowActions = ({ first, menu, more, tabIndex }: RowActionsProps) => (
  <div className={classes["acts"]}>
    {first.map(({ label, name, act, disabled }) => (
      <UnstyledButton
        key={label}
        className={classes["act"] ?? ""}
        tabIndex={tabIndex}
        aria-label={name}
        disabled={disabled}
        onClick={() => run(act)}
      >
        {label}
      </UnstyledButton>
    ))}
    <ActionsMenu inRow label={menu} items={more} tabIndex={tabIndex} />
  </div>
);
