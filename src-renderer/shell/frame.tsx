import { lazy, Suspense } from "react";
import { InboxScreen } from "../features/inbox/inbox-screen.tsx";
import { type Screen, useAddress } from "../ui/address.ts";
import { Announcer } from "../ui/announcer.tsx";
import { showDialog } from "../ui/dialogs.ts";
import { useKeys } from "../ui/keys.ts";
import { Screen as Plain } from "../ui/screen.tsx";
import { LoadingRows } from "../ui/states.tsx";
import { AwayBanner } from "./away-banner.tsx";
import classes from "./frame.module.css";
import { Header } from "./header.tsx";
import { HelpSheet } from "./help-sheet.tsx";
import { NoSuchScreen } from "./no-such-screen.tsx";
import { Palette } from "./palette.tsx";
import { Rail } from "./rail.tsx";
import { ScreenBoundary } from "./screen-boundary.tsx";
import { SCREEN_WORDS } from "./screen-words.ts";
import { SendDialog } from "./send-dialog.tsx";
import { StatusDialogs } from "./status-dialogs.tsx";
import { StatusLine } from "./status-line.tsx";
import { useTitle } from "./unread.ts";
import { useLive } from "./use-live.ts";

const SessionsScreen = lazy(async () => ({
  default: (await import("../features/sessions/sessions-screen.tsx")).SessionsScreen,
}));
const ProfilesScreen = lazy(async () => ({
  default: (await import("../features/profiles/profiles-screen.tsx")).ProfilesScreen,
}));
const ConnectionsScreen = lazy(async () => ({
  default: (await import("../features/connections/connections-screen.tsx")).ConnectionsScreen,
}));
const ConnectScreen = lazy(async () => ({
  default: (await import("../features/connect/connect-screen.tsx")).ConnectScreen,
}));
const RequestsScreen = lazy(async () => ({
  default: (await import("../features/requests/requests-screen.tsx")).RequestsScreen,
}));
const ClockScreen = lazy(async () => ({
  default: (await import("../features/clock/clock-screen.tsx")).ClockScreen,
}));
const FaultsScreen = lazy(async () => ({
  default: (await import("../features/faults/faults-screen.tsx")).FaultsScreen,
}));
const AppsScreen = lazy(async () => ({ default: (await import("../features/apps/apps-screen.tsx")).AppsScreen }));
const FixturesScreen = lazy(async () => ({
  default: (await import("../features/fixtures/fixtures-screen.tsx")).FixturesScreen,
}));

const Content = ({ screen }: { readonly screen: Screen | undefined }) => {
  switch (screen) {
    case "inbox":
      return <InboxScreen />;
    case "sessions":
      return <SessionsScreen />;
    case "profiles":
      return <ProfilesScreen />;
    case "connections":
      return <ConnectionsScreen />;
    case "requests":
      return <RequestsScreen />;
    case "connect":
      return <ConnectScreen />;
    case "apps":
      return <AppsScreen />;
    case "fixtures":
      return <FixturesScreen />;
    case "clock":
      return <ClockScreen />;
    case "faults":
      return <FaultsScreen />;
    case undefined:
      return <NoSuchScreen />;
  }
};

/** A screen whose script is still on its way: its title stands where it will stand. */
const Loading = ({ title }: { readonly title: string }) => (
  <Plain title={title}>
    <LoadingRows />
  </Plain>
);

/** The bands around every screen. */
export const Frame = () => {
  const connection = useLive();
  const { address } = useAddress();
  const title = address.screen === undefined ? "Not found" : SCREEN_WORDS[address.screen];
  useTitle(title, address.screen === "inbox", address.app);
  useKeys({ "?": () => showDialog("help") });

  return (
    <div className={classes.frame}>
      <Header />
      <div className={classes.middle}>
        <Rail />
        <main className={classes.main}>
          {connection === "away" && <AwayBanner />}
          {/* Another app is another list: nothing of the old one is kept. */}
          <ScreenBoundary key={`${address.screen} ${address.app}`}>
            <Suspense fallback={<Loading title={title} />}>
              <Content screen={address.screen} />
            </Suspense>
          </ScreenBoundary>
        </main>
      </div>
      <StatusLine connection={connection} />
      <Announcer />
      <SendDialog />
      <HelpSheet />
      <Palette />
      <StatusDialogs />
    </div>
  );
};
