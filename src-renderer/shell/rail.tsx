import { Popover, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { Link } from "wouter";
import { PLACES } from "#contract/control/screens.ts";
import { many } from "#contract/words/words.ts";
import { useFirstFailure } from "../api/first-failure.ts";
import { later } from "../api/later.ts";
import { activeCodesQuery, passcodeList } from "../api/queries.ts";
import { statusAt } from "../shared/login/passcode-status.ts";
import { railPlaceOf, useAddress } from "../ui/address.ts";
import { useNow } from "../ui/parts.tsx";
import { Icon, presentHref, SCREEN_WORDS } from "./screens.tsx";
import { useSettingsOpen } from "./settings-open.ts";
import classes from "./shell.module.css";

const SettingsPanel = later("settings", async () => (await import("./settings-panel.tsx")).SettingsPanel);

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

/** An app has failed for the first time, until Codes or the log is shown. */
const FailureMark = () => {
  const { screen } = useAddress().address;
  const requestId = useFirstFailure((state) => state.requestId);
  const isSeen = screen === "codes" || screen === "requests";
  useEffect(() => {
    if (isSeen && requestId !== null) useFirstFailure.setState({ requestId: null });
  }, [isSeen, requestId]);
  if (isSeen || requestId === null) return null;
  return (
    <>
      <span className={classes["failed"]} aria-hidden="true">
        !
      </span>
      <span className="spoken">, a request failed</span>
    </>
  );
};

/** The theme, notifications and keys. */
const Settings = () => {
  const { isOpen } = useSettingsOpen();
  const set = (open: boolean): void => useSettingsOpen.setState({ isOpen: open });
  return (
    <Popover
      opened={isOpen}
      onChange={set}
      position="right-end"
      offset={8}
      trapFocus
      shadow="none"
      withinPortal={false}
    >
      <Popover.Target>
        <UnstyledButton className={classes["place"] ?? ""} onClick={() => set(!isOpen)}>
          <Icon of="settings" />
          <span>Settings</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown
        aria-label="Settings"
        w={320}
        maw="calc(100vw - 24px)"
        p="8px 16px"
        bg="var(--sd-panel)"
        bd="1px solid var(--sd-line)"
      >
        <Suspense fallback={null}>
          <SettingsPanel />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
};

/** The places; below them, what is shown to others, and the settings of this browser. */
export const Rail = () => {
  const { address, hrefTo } = useAddress();
  return (
    <nav className={classes["rail"]} aria-label="Places">
      <ul>
        {PLACES.map((place) => (
          <li key={place}>
            <Link
              href={hrefTo(place)}
              className={classes["place"]}
              aria-current={railPlaceOf(address.screen) === place ? "page" : undefined}
            >
              <Icon of={place} />
              <span>{SCREEN_WORDS[place].word}</span>
              {place === "codes" && <FailureMark />}
              {place === "codes" && <ActiveCodes />}
            </Link>
          </li>
        ))}
      </ul>
      <div className={classes["foot"]}>
        <Link href={presentHref(address.app)} className={classes["place"]}>
          <Icon of="present" />
          <span>Present</span>
        </Link>
        <Settings />
      </div>
    </nav>
  );
};
