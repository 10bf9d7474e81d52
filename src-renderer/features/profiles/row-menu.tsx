import { Menu } from "@mantine/core";
import { useState } from "react";
import type { Profile } from "#client/index.ts";
import { shownName } from "../../api/queries.ts";
import { complain, LinkButton } from "../../ui/action.tsx";
import { userActions } from "./user-actions.tsx";

/** What can be done with the user of a row. Until it is opened it is a plain button: there are dozens of rows. */
export const RowMenu = ({ profile, tabIndex }: { readonly profile: Profile; readonly tabIndex: 0 | -1 }) => {
  const [wasOpened, setWasOpened] = useState(false);
  const button = {
    "aria-label": `Actions for ${shownName(profile.name)}`,
    tabIndex,
    style: { textDecoration: "none" },
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
        {userActions(profile).map(({ id, label, act }) => (
          <Menu.Item key={id} onClick={() => void act().catch(complain)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
