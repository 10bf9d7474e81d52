/**
 * The ways to the screens: a rail, or a menu where there is no room for one; and the theme.
 */
import { Button, type MantineColorScheme, Menu, SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { RAIL_SCREENS } from "#contract/screens.ts";
import { passcodeList } from "../api/queries.ts";
import { statusAt } from "../features/inbox/passcode-status.ts";
import { useAddress } from "../ui/address.ts";
import { useNow } from "../ui/now.ts";
import { Icon, SCREEN_WORDS } from "./screens.tsx";
import classes from "./shell.module.css";

/** The themes, with their words. */
export const SCHEMES: readonly { readonly value: MantineColorScheme; readonly label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
];
const isScheme = (value: string): value is MantineColorScheme => SCHEMES.some((known) => known.value === value);

const ActiveCodes = () => {
  const { address } = useAddress();
  const { data } = useQuery(passcodeList.query(address.app));
  const now = useNow(address.app);
  const active = data?.items.filter((passcode) => statusAt(passcode, now) === "active").length ?? 0;
  if (active === 0) return null;
  return (
    <>
      <span className={classes["count"]} aria-hidden="true">
        {active}
      </span>
      <span className="spoken">{active === 1 ? ", 1 active code" : `, ${active} active codes`}</span>
    </>
  );
};

/** The screens: what is live above, set-up below. */
export const Rail = () => {
  const { address, hrefWith } = useAddress();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <nav className={classes["rail"]} aria-label="Screens">
      <ul>
        {RAIL_SCREENS.map((screen) => (
          <li key={screen}>
            {screen === "connect" && <h2>Set up</h2>}
            <Link
              href={hrefWith({ screen, id: null, show: null, q: "" })}
              className={classes["screen"]}
              aria-current={address.screen === screen ? "page" : undefined}
            >
              <Icon screen={screen} />
              {SCREEN_WORDS[screen].word}
              {screen === "inbox" && <ActiveCodes />}
            </Link>
          </li>
        ))}
      </ul>
      <SegmentedControl
        aria-label="Theme"
        size="xs"
        fullWidth
        withItemsBorders={false}
        data={[...SCHEMES]}
        value={colorScheme}
        onChange={setColorScheme}
      />
    </nav>
  );
};

/** The same as a menu. */
export const NarrowMenu = () => {
  const { address, go } = useAddress();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu>
      <Menu.Target>
        <Button className={classes["phone"] ?? ""} rightSection={<span aria-hidden="true">▾</span>}>
          {address.screen === undefined ? "Menu" : SCREEN_WORDS[address.screen].word}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {RAIL_SCREENS.map((screen) => (
          <Menu.Item
            key={screen}
            leftSection={<Icon screen={screen} />}
            onClick={() => go({ screen, id: null, show: null, q: "" })}
          >
            {SCREEN_WORDS[screen].word}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.RadioGroup value={colorScheme} onChange={(value) => isScheme(value) && setColorScheme(value)}>
          {SCHEMES.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
};
