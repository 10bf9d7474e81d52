import { Button, Kbd, UnstyledButton } from "@mantine/core";
import { Link } from "wouter";
import { useAddress } from "../ui/address.ts";
import { showDialog } from "../ui/dialogs.ts";
import { AppSwitcher } from "./app-switcher.tsx";
import classes from "./header.module.css";
import { NarrowMenu } from "./narrow-menu.tsx";
import { PALETTE_KEYS } from "./palette.tsx";
import { SEARCH_WORDS } from "./screen-words.ts";
import { SearchBox } from "./search-box.tsx";

/** Wordmark, app switcher, search, and the main action. */
export const Header = () => {
  const { address, hrefWith } = useAddress();
  const search = address.screen === undefined ? undefined : SEARCH_WORDS[address.screen];
  return (
    <header className={classes.header}>
      <Link
        href={hrefWith({ screen: "inbox", id: null, show: null, q: "" })}
        className={classes.wordmark}
        aria-label="Stagedoor"
      >
        <span className={classes.lamp} aria-hidden="true" />
        <span className={classes.name}>Stagedoor</span>
      </Link>
      <NarrowMenu />
      <AppSwitcher />
      {search !== undefined && <SearchBox words={search} />}
      <UnstyledButton className={classes.palette ?? ""} title="Commands" onClick={() => showDialog("palette")}>
        <span className="spoken">Commands, </span>
        <Kbd>{PALETTE_KEYS}</Kbd>
      </UnstyledButton>
      <Button className={classes.action ?? ""} onClick={() => showDialog("send")}>
        Send a test code
      </Button>
    </header>
  );
};
