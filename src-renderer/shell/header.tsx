import {
  Box,
  Button,
  Group,
  Kbd,
  type MantineColorScheme,
  Menu,
  SegmentedControl,
  TextInput,
  UnstyledButton,
  useMantineColorScheme,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "wouter";
import { RAIL_SCREENS } from "#contract/control/screens.ts";
import { many } from "#contract/words/words.ts";
import { activeCodesQuery, passcodeList, useApps } from "../api/queries.ts";
import { openSendDialog } from "../features/inbox/inbox-actions.tsx";
import { statusAt } from "../features/inbox/passcode-status.ts";
import { textField } from "../ui/action.tsx";
import { useAddress } from "../ui/address.ts";
import { useKeys } from "../ui/keys.ts";
import { Pill, useNow } from "../ui/parts.tsx";
import { FailureMark } from "./failure-mark.tsx";
import { PALETTE_KEYS, palette } from "./palette-store.ts";
import { Icon, SCREEN_WORDS } from "./screens.tsx";
import classes from "./shell.module.css";

/** The themes and their labels. */
export const SCHEMES: readonly { readonly value: MantineColorScheme; readonly label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
];
const isScheme = (value: string): value is MantineColorScheme => SCHEMES.some((known) => known.value === value);

/** Counted up to this number. */
const MOST_COUNTED = 99;

const ActiveCodes = () => {
  const { app } = useAddress().address;
  const { data } = useQuery(passcodeList.query(app));
  const now = useNow(app);
  const shown = data?.items.filter((passcode) => statusAt(passcode, now) === "active").length ?? 0;
  // Only the newest codes are loaded.
  const isPart = data !== undefined && data.items.length < data.total && shown <= MOST_COUNTED;
  const { data: all = shown } = useQuery({ ...activeCodesQuery(app), enabled: isPart });
  const active = isPart ? all : shown;
  if (active === 0) return null;
  const isMore = active > MOST_COUNTED;
  return (
    <>
      <span className={classes["count"]} aria-hidden="true">
        {isMore ? `${MOST_COUNTED}+` : active}
      </span>
      <span className="spoken">
        , {isMore && "more than "}
        {many(isMore ? MOST_COUNTED : active, "active code")}
      </span>
    </>
  );
};

/** The screens: live data above, configuration below. */
export const Rail = () => {
  const { address, hrefTo } = useAddress();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <nav className={classes["rail"]} aria-label="Screens">
      <ul>
        {RAIL_SCREENS.map((screen) => (
          <li key={screen}>
            {screen === "connect" && <h2>Set up</h2>}
            <Link
              href={hrefTo(screen)}
              className={classes["screen"]}
              aria-current={address.screen === screen ? "page" : undefined}
            >
              <Icon screen={screen} />
              {SCREEN_WORDS[screen].word}
              {screen === "inbox" && <FailureMark />}
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

const DOWN = <span aria-hidden="true">▾</span>;

const NarrowMenu = () => {
  const { address, go } = useAddress();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu>
      <Menu.Target>
        <Button hiddenFrom="sm" rightSection={DOWN}>
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

const AppSwitcher = () => {
  const { address, go } = useAddress();
  const { apps, appOf } = useApps();
  const chosen = appOf(address.app);
  return (
    <Menu>
      <Menu.Target>
        <Button className={classes["app"] ?? ""} rightSection={DOWN}>
          <span className="spoken">App: </span>
          <bdi className="cut">{chosen?.name ?? address.app ?? "All apps"}</bdi>
          {chosen && (
            <Box component="span" ms={8} visibleFrom="sm">
              <Pill>{chosen.strategy}</Pill>
            </Box>
          )}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={address.app ?? ""} onChange={(app) => go({ app: app === "" ? null : app, id: null })}>
          <Menu.RadioItem value="">All apps</Menu.RadioItem>
          {apps.map(({ appId, name, strategy }) => (
            <Menu.RadioItem key={appId} value={appId} rightSection={<span className="dim">{strategy}</span>}>
              <bdi>{name}</bdi>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
};

/** Searches the current list. `/` focuses it; Esc clears it, then leaves it. */
const SearchBox = ({ words }: { readonly words: string }) => {
  const { address, go } = useAddress();
  const input = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => input.current?.focus() });
  const search = (q: string): void => go({ q, id: null }, { replace: true });
  return (
    <TextInput
      ref={input}
      type="search"
      className={classes["search"] ?? ""}
      aria-label={words}
      placeholder={words}
      rightSection={<Kbd aria-hidden="true">/</Kbd>}
      rightSectionPointerEvents="none"
      {...textField(address.q, search)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        if (address.q === "") input.current?.blur();
        else search("");
      }}
    />
  );
};

/** Wordmark, app switcher, search, and the main action. */
export const Header = () => {
  const { address, hrefTo } = useAddress();
  const search = address.screen && SCREEN_WORDS[address.screen].search;
  return (
    <header className={classes["header"]}>
      <Link href={hrefTo("inbox")} className={classes["wordmark"]} aria-label="Stagedoor">
        <span className={classes["lamp"]} aria-hidden="true" />
        <span className="mantine-visible-from-sm">Stagedoor</span>
      </Link>
      <NarrowMenu />
      <AppSwitcher />
      {search !== undefined && <SearchBox words={search} />}
      <Group ms="auto" wrap="nowrap">
        <UnstyledButton visibleFrom="sm" title="Commands" onClick={palette.open}>
          <span className="spoken">Commands, </span>
          <Kbd>{PALETTE_KEYS}</Kbd>
        </UnstyledButton>
        <Button onClick={openSendDialog}>
          <span>
            Send<span className="mantine-visible-from-sm"> code</span>
          </span>
        </Button>
      </Group>
    </header>
  );
};
