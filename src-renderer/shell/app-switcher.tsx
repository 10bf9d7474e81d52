import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { appsQuery } from "../api/queries.ts";
import { useAddress } from "../ui/address.ts";
import classes from "./app-switcher.module.css";

/** Which app the screens show: one, or all. */
export const AppSwitcher = () => {
  const { address, go } = useAddress();
  const { data } = useQuery(appsQuery());
  const apps = data?.items ?? [];
  const chosen = apps.find((app) => app.appId === address.app);
  const name = chosen?.name ?? (address.app === null ? "All apps" : address.app);
  return (
    <Menu>
      <Menu.Target>
        <Button className={classes.target ?? ""} rightSection={<span aria-hidden="true">▾</span>}>
          <span className="spoken">App: </span>
          <bdi className={classes.name}>{name}</bdi>{" "}
          {chosen && <span className={classes.strategy}>{chosen.strategy}</span>}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={address.app ?? ""} onChange={(app) => go({ app: app === "" ? null : app, id: null })}>
          <Menu.RadioItem value="">All apps</Menu.RadioItem>
          {apps.map((app) => (
            <Menu.RadioItem
              key={app.appId}
              value={app.appId}
              rightSection={<span className={classes.kind}>{app.strategy}</span>}
            >
              <bdi>{app.name}</bdi>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
};
