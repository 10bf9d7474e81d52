import { Button, Kbd, Menu, TextInput, UnstyledButton } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { useApps } from "../api/queries.ts";
import { openSendDialog } from "../shared/user/send-code.tsx";
import { textField } from "../ui/action.tsx";
import { useAddress } from "../ui/address.ts";
import { useKeys } from "../ui/keys.ts";
import { PALETTE_KEYS, palette, paletteStore } from "../ui/palette-store.ts";
import { SCREEN_WORDS } from "./screens.tsx";
import classes from "./shell.module.css";

const AppSwitcher = () => {
  const { address, go } = useAddress();
  const { apps, appOf } = useApps();
  const chosen = appOf(address.app);
  return (
    <Menu>
      <Menu.Target>
        <Button
          className={classes["app"] ?? ""}
          justify="space-between"
          rightSection={<span aria-hidden="true">▾</span>}
        >
          <span className="spoken">App: </span>
          <bdi className="cut">{chosen?.name ?? address.app ?? "All apps"}</bdi>
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

interface NarrowProps {
  readonly words: string;
  readonly onLeave: () => void;
}

/** The field while it narrows the list. Esc gives the whole list back, then leaves it. */
const Narrow = ({ words, onLeave }: NarrowProps) => {
  const { address, go } = useAddress();
  const input = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => input.current?.focus() });
  const search = (q: string): void => go({ q, id: null }, { replace: true });
  return (
    <TextInput
      ref={input}
      type="search"
      className={classes["find"] ?? ""}
      aria-label={words}
      placeholder={words}
      rightSection={<Kbd aria-hidden="true">Esc</Kbd>}
      rightSectionWidth={48}
      rightSectionPointerEvents="none"
      {...textField(address.q, search)}
      onBlur={() => paletteStore.getState().opened || onLeave()}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        if (address.q === "") input.current?.blur();
        else search("");
      }}
    />
  );
};

/** One field: a click and Ctrl K find anything; `/` narrows the list of this screen while one types. */
const Find = () => {
  const { address } = useAddress();
  const words = address.screen && SCREEN_WORDS[address.screen].search;
  const [isNarrowing, setNarrowing] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  useKeys({ "/": () => (words === undefined ? palette.open() : setNarrowing(true)) });
  useEffect(() => {
    if (isNarrowing) field.current?.querySelector("input")?.focus();
  }, [isNarrowing]);
  const isShown = words !== undefined && (isNarrowing || address.q !== "");
  return (
    <div ref={field} className={classes["field"]}>
      {isShown ? (
        <Narrow words={words} onLeave={() => setNarrowing(false)} />
      ) : (
        <UnstyledButton className={classes["find"] ?? ""} aria-keyshortcuts="Control+K /" onClick={palette.open}>
          <span className="cut">
            Find<span className="mantine-visible-from-sm"> or paste</span>
            <span className="mantine-visible-from-md"> anything</span>
          </span>
          <Kbd visibleFrom="sm">{PALETTE_KEYS}</Kbd>
        </UnstyledButton>
      )}
    </div>
  );
};

/** Wordmark, app switcher, the one field, and the main action. */
export const Header = () => {
  const { hrefTo } = useAddress();
  return (
    <header className={classes["header"]}>
      <Link href={hrefTo("codes")} className={classes["wordmark"]} aria-label="Stagedoor">
        <span className="lamp" aria-hidden="true" />
        <span>Stagedoor</span>
      </Link>
      <AppSwitcher />
      <Find />
      <Button ms="auto" flex="none" onClick={openSendDialog}>
        Send code
      </Button>
    </header>
  );
};
