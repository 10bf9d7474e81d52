import { Button } from "@mantine/core";
import { Link } from "wouter";
import { useAddress } from "../ui/address.ts";
import { showDialog } from "../ui/dialogs.ts";
import { AppSwitcher } from "./app-switcher.tsx";
import classes from "./header.module.css";
import { NarrowMenu } from "./narrow-menu.tsx";
import { SearchBox } from "./search-box.tsx";

/** Wordmark, app switcher, search, and the main action. */
export const Header = () => {
  const { address, hrefWith } = useAddress();
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
      {address.screen !== "connect" && <SearchBox />}
      <Button className={classes.action ?? ""} onClick={() => showDialog("send")}>
        Send a test code
      </Button>
    </header>
  );
};
