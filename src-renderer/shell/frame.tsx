import { Button } from "@mantine/core";
import { type ComponentType, lazy, Suspense } from "react";
import { Link } from "wouter";
import type { Screen as ScreenName } from "#contract/screens.ts";
import { InboxScreen } from "../features/inbox/inbox-screen.tsx";
import { useAddress } from "../ui/address.ts";
import { Announcer } from "../ui/announcer.tsx";
import { useKeys } from "../ui/keys.ts";
import { useTicks } from "../ui/now.ts";
import { Screen } from "../ui/screen.tsx";
import { Empty, LoadingRows } from "../ui/states.tsx";
import { UndoStrip } from "../ui/undo.tsx";
import { Header } from "./header.tsx";
import { openHelp } from "./help-sheet.tsx";
import { Palette } from "./palette.tsx";
import { Rail } from "./rail.tsx";
import { ScreenBoundary } from "./screen-boundary.tsx";
import { SCREEN_WORDS } from "./screens.tsx";
import classes from "./shell.module.css";
import { StatusLine } from "./status-line.tsx";
import { useTitle } from "./unread.ts";
import { useLive } from "./use-live.ts";

/** The address names no screen. */
const NoSuchScreen = () => (
  <Screen title="Not found">
    <Empty title="Page not found">
      <p>Check the address. It may also belong to a newer version.</p>
      <Button component={Link} href="/inbox">
        Go to Inbox
      </Button>
    </Empty>
  </Screen>
);

const later = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

const CONTENT: Readonly<Record<ScreenName, ComponentType>> = {
  inbox: InboxScreen,
  sessions: later(async () => (await import("../features/sessions/sessions-screen.tsx")).SessionsScreen),
  profiles: later(async () => (await import("../features/profiles/profiles-screen.tsx")).ProfilesScreen),
  connections: later(async () => (await import("../features/connections/connections-screen.tsx")).ConnectionsScreen),
  requests: later(async () => (await import("../features/requests/requests-screen.tsx")).RequestsScreen),
  connect: later(async () => (await import("../features/connect/connect-screen.tsx")).ConnectScreen),
  apps: later(async () => (await import("../features/apps/apps-screen.tsx")).AppsScreen),
  fixtures: later(async () => (await import("../features/fixtures/fixtures-screen.tsx")).FixturesScreen),
  clock: later(async () => (await import("../features/clock/clock-screen.tsx")).ClockScreen),
  // A window of its own: see app.tsx.
  mini: NoSuchScreen,
  faults: later(async () => (await import("../features/faults/faults-screen.tsx")).FaultsScreen),
};

/** The server is away: what to do, and that nothing here needs doing. */
const AwayBanner = () => (
  <div className={classes["banner"]} role="alert">
    <strong>Stagedoor is not running at {window.location.host}.</strong> Start it with{" "}
    <code className="mono">npm start</code> or <code className="mono">stagedoor start</code>. This page reconnects by
    itself and shows the last known data until then.
  </div>
);

/** The bands around every screen. */
export const Frame = () => {
  useTicks();
  const connection = useLive();
  const { address } = useAddress();
  const { screen } = address;
  const Content = screen === undefined ? NoSuchScreen : CONTENT[screen];
  const title = screen === undefined ? "Not found" : SCREEN_WORDS[screen].word;
  useTitle(title, screen === "inbox", address.app);
  useKeys({ "?": openHelp });
  return (
    <div className={classes["frame"]}>
      <a className={classes["skip"]} href="#content">
        Skip to content
      </a>
      <Header />
      <div className={classes["middle"]}>
        <Rail />
        <main id="content" tabIndex={-1} className={classes["main"]}>
          {connection === "away" && <AwayBanner />}
          <UndoStrip screen={screen} />
          {/* Another app is another list: nothing of the old one is kept. */}
          <ScreenBoundary key={`${screen} ${address.app}`}>
            {/* A screen whose script is still on its way: its title stands where it will stand. */}
            <Suspense
              fallback={
                <Screen title={title}>
                  <LoadingRows />
                </Screen>
              }
            >
              <Content />
            </Suspense>
          </ScreenBoundary>
        </main>
      </div>
      <StatusLine connection={connection} />
      <Announcer />
      <Palette />
    </div>
  );
};
