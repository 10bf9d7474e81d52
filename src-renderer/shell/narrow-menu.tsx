import { Button, Menu, useMantineColorScheme } from "@mantine/core";
import { SCREENS, useAddress } from "../ui/address.ts";
import classes from "./narrow-menu.module.css";
import { SCREEN_WORDS } from "./screen-words.ts";
import { SCHEMES } from "./theme-switch.tsx";

const isScheme = (value: string): value is "light" | "dark" | "auto" => SCHEMES.some((known) => known.value === value);

/** The rail, where there is no room for one. */
export const NarrowMenu = () => {
  const { address, go } = useAddress();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu>
      <Menu.Target>
        <Button className={classes.target ?? ""} rightSection={<span aria-hidden="true">▾</span>}>
          {address.screen === undefined ? "Menu" : SCREEN_WORDS[address.screen]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {SCREENS.map((screen) => (
          <Menu.Item key={screen} onClick={() => go({ screen, id: null, show: null, q: "" })}>
            {SCREEN_WORDS[screen]}
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
