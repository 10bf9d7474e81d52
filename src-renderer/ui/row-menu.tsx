import { Menu } from "@mantine/core";
import { useState } from "react";
import { complain, LinkButton } from "./action.tsx";

interface RowMenuProps {
  readonly label: string;
  readonly items: () => readonly {
    readonly id: string;
    readonly label: string;
    readonly act: () => Promise<unknown>;
  }[];
  readonly tabIndex?: 0 | -1;
}

/** More actions. Until it is opened it is a plain button: there are dozens of rows. */
export const RowMenu = ({ label, items, tabIndex = 0 }: RowMenuProps) => {
  const [wasOpened, setWasOpened] = useState(false);
  const button = {
    "aria-label": label,
    tabIndex,
    style: { textDecoration: "none", minWidth: 24, minHeight: 24 },
    children: "⋯",
  };
  if (!wasOpened) return <LinkButton {...button} aria-haspopup="menu" onClick={() => setWasOpened(true)} />;
  return (
    // The cell cuts what leaves it.
    <Menu defaultOpened withinPortal portalProps={{ target: "#content" }} position="bottom-end">
      <Menu.Target>
        {/* The menu adds a class, which replaces the button’s own. */}
        <LinkButton {...button} className="link" />
      </Menu.Target>
      <Menu.Dropdown>
        {items().map((item) => (
          <Menu.Item key={item.id} onClick={() => void item.act().catch(complain)}>
            {item.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
