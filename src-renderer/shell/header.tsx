import { Box, Button, Group, Kbd, Menu, TextInput, UnstyledButton } from "@mantine/core";
import { useRef } from "react";
import { Link } from "wouter";
import { useApps } from "../api/profile.ts";
import { openSendDialog } from "../features/inbox/send-dialog.tsx";
import { useAddress } from "../ui/address.ts";
import { Pill } from "../ui/chips.tsx";
import { useKeys } from "../ui/keys.ts";
import { PALETTE_KEYS, palette } from "./palette-store.ts";
import { NarrowMenu } from "./rail.tsx";
import { SCREEN_WORDS } from "./screens.tsx";
import classes from "./shell.module.css";

/** Which app the screens show: one, or all. */
const AppSwitcher = () => {
  const { address, go } = useAddress();
  const { apps, appOf } = useApps();
  const chosen = appOf(address.app);
  return (
    <Menu>
      <Menu.Target>
        <Button className={classes["app"] ?? ""} rightSection={<span aria-hidden="true">▾</span>}>
          <span className="spoken">App: </span>
          <bdi>{chosen?.name ?? address.app ?? "All apps"}</bdi>
          {chosen && (
            <Box component="span" ms={8} className={classes["wide"]}>
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

/** The search of the list at hand. `/` goes there; Esc clears it, and then leaves it. */
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
      value={address.q}
      onChange={(event) => search(event.currentTarget.value)}
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
  const { address, hrefWith } = useAddress();
  const search = address.screen && SCREEN_WORDS[address.screen].search;
  return (
    <header className={classes["header"]}>
      <Link
        href={hrefWith({ screen: "inbox", id: null, show: null, q: "" })}
        className={classes["wordmark"]}
        aria-label="Stagedoor"
      >
        <span className={classes["lamp"]} aria-hidden="true" />
        <span className={classes["wide"]}>Stagedoor</span>
      </Link>
      <NarrowMenu />
      <AppSwitcher />
      {search !== undefined && <SearchBox words={search} />}
      <Group className={classes["end"] ?? ""}>
        <UnstyledButton className={classes["wide"] ?? ""} title="Commands" onClick={palette.open}>
          <span className="spoken">Commands, </span>
          <Kbd>{PALETTE_KEYS}</Kbd>
        </UnstyledButton>
        <Button onClick={openSendDialog}>
          <span>
            Send<span className={classes["wide"]}> a test code</span>
          </span>
        </Button>
      </Group>
    </header>
  );
};
