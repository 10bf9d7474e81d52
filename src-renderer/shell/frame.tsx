import {
  Component,
  type ComponentType,
  type PropsWithChildren,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
} from "react";
import type { Screen as ScreenName } from "#contract/control/screens.ts";
import { explain } from "../api/emulator.ts";
import { later } from "../api/later.ts";
import { InboxScreen } from "../features/inbox/inbox-screen.tsx";
import { UndoStrip } from "../features/rewind/undo-band.tsx";
import { Announcer, TextButton } from "../ui/action.tsx";
import { useAddress } from "../ui/address.ts";
import { IS_INSTALLED } from "../ui/host.ts";
import { useKeys } from "../ui/keys.ts";
import { useTicks } from "../ui/parts.tsx";
import { Empty, LoadingRows, Screen } from "../ui/screen.tsx";
import { Header, Rail } from "./header.tsx";
import { openHelp } from "./help.tsx";
import { Palette } from "./palette.tsx";
import { usePasteAndDrop } from "./paste/paste-and-drop.ts";
import { SCREEN_WORDS } from "./screens.tsx";
import classes from "./shell.module.css";
import { StatusLine } from "./status-line.tsx";
import { useLive, useTitle } from "./use-live.ts";

/** Keeps the frame when a screen fails: its script belongs to a version no longer served, or it threw. */
class ScreenBoundary extends Component<PropsWithChildren, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <Screen title="Error">
        <Empty title="This screen failed to load">
          <p>The page may be older than the server. Reload to update it.</p>
          <p className="mono">{explain(this.state.error)}</p>
          <TextButton variant="filled" onClick={() => window.location.reload()} label="Reload" />
        </Empty>
      </Screen>
    );
  }
}

const NoSuchScreen = () => (
  <Screen title="Not found">
    <Empty title="Page not found">
      <p>Check the address. It may also belong to a newer version.</p>
      <TextButton href="/inbox" label="Go to Inbox" />
    </Empty>
  </Screen>
);

const SCREENS: Readonly<Record<ScreenName, ComponentType>> = {
  inbox: InboxScreen,
  sessions: later("sessions", async () => (await import("../features/sessions/sessions-screen.tsx")).SessionsScreen),
  profiles: later("profiles", async () => (await import("../features/profiles/profiles-screen.tsx")).ProfilesScreen),
  connections: later(
    "connections",
    async () => (await import("../features/connections/connections-screen.tsx")).ConnectionsScreen,
  ),
  requests: later("requests", async () => (await import("../features/requests/requests-screen.tsx")).RequestsScreen),
  coverage: later("coverage", async () => (await import("../features/coverage/coverage-screen.tsx")).CoverageScreen),
  connect: later("connect", async () => (await import("../features/connect/connect-screen.tsx")).ConnectScreen),
  apps: later("apps", async () => (await import("../features/apps/apps-screen.tsx")).AppsScreen),
  fixtures: later("fixtures", async () => (await import("../features/fixtures/fixtures-screen.tsx")).FixturesScreen),
  clock: later("clock", async () => (await import("../features/clock/clock-screen.tsx")).ClockScreen),
  faults: later("faults", async () => (await import("../features/faults/faults-screen.tsx")).FaultsScreen),
  // Separate pages: see app.tsx.
  mini: NoSuchScreen,
  stage: NoSuchScreen,
};

const CONTENT: ReadonlyMap<string, ComponentType> = new Map<string, ComponentType>([
  ...Object.entries(SCREENS),
  // In the place of their screens, while the address says so.
  ["sessions?keys", later("sessions?keys", async () => (await import("../features/keys/keys-part.tsx")).KeysPart)],
  [
    "coverage?exploration",
    later(
      "coverage?exploration",
      async () => (await import("../features/exploration/exploration-part.tsx")).ExplorationPart,
    ),
  ],
  [
    "fixtures?snapshots",
    later("fixtures?snapshots", async () => (await import("../features/snapshots/snapshots-part.tsx")).SnapshotsPart),
  ],
]);

const AwayBanner = () => (
  <div className="band" style={{ background: "var(--sd-tint)" }} role="alert">
    <strong>Stagedoor is not running at {window.location.host}.</strong>{" "}
    {IS_INSTALLED ? (
      "Choose Restart Server in the menu File."
    ) : (
      <>
        Start it with <code className="mono">npm start</code> or <code className="mono">stagedoor start</code>.
      </>
    )}{" "}
    This page reconnects by itself and shows the last known data until then.
  </div>
);

/** The frame around every screen. */
export const Frame = () => {
  useTicks();
  const connection = useLive();
  const { address } = useAddress();
  const { screen } = address;
  const Content = CONTENT.get(`${screen}?${address.show}`) ?? CONTENT.get(screen ?? "") ?? NoSuchScreen;
  const title = screen === undefined ? "Not found" : SCREEN_WORDS[screen].word;
  useTitle(title, screen === "inbox", address.app);
  usePasteAndDrop();
  useKeys({ "?": openHelp });
  const content = useRef<HTMLElement>(null);
  const shown = useRef(screen);
  useEffect(() => {
    // What had the focus went with the old screen.
    if (shown.current !== screen && document.activeElement === document.body)
      content.current?.focus({ preventScroll: true });
    shown.current = screen;
  }, [screen]);
  // While a screen's script loads, its title is already in place.
  const loading = (
    <Screen title={title}>
      <LoadingRows />
    </Screen>
  );
  return (
    <div className="column" style={{ height: "100dvh" }}>
      <a className={classes["skip"]} href="#content">
        Skip to content
      </a>
      <Header />
      <div className="fill">
        <Rail />
        <main ref={content} id="content" tabIndex={-1} className="fill column" style={{ outline: "none" }}>
          {connection === "away" && <AwayBanner />}
          <UndoStrip screen={screen} />
          {/* Another app is another list: discard all state of the old one. */}
          <ScreenBoundary key={`${screen} ${address.app}`}>
            <Suspense fallback={loading}>
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
