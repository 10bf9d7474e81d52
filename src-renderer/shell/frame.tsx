import {
  Component,
  type ComponentType,
  type PropsWithChildren,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
} from "react";
import { PLACES, type Screen as ScreenName } from "#contract/control/screens.ts";
import { explain } from "../api/emulator.ts";
import { later } from "../api/later.ts";
import { CodesScreen } from "../places/codes/codes-screen.tsx";
import { useLive, useTitle } from "../shared/arrival/use-live.ts";
import { Announcer, complain, TextButton } from "../ui/action.tsx";
import { useAddress } from "../ui/address.ts";
import { IS_DESKTOP } from "../ui/host.ts";
import { useKeys } from "../ui/keys.ts";
import { useTicks } from "../ui/parts.tsx";
import { Empty, LoadingRows, PlaceFrame, Screen } from "../ui/screen.tsx";
import { Header } from "./header.tsx";
import { Palette } from "./palette.tsx";
import { usePasteAndDrop } from "./paste/paste-and-drop.ts";
import { Rail } from "./rail.tsx";
import { SCREEN_WORDS } from "./screens.tsx";
import classes from "./shell.module.css";
import { StatusLine } from "./status-line.tsx";

/** The list of shortcuts is not in the first view. */
const openHelp = (): void => void import("./settings-panel.tsx").then((it) => it.openShortcuts(), complain);

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
      <TextButton href="/codes" label="Go to Codes" />
    </Empty>
  </Screen>
);

/** What is loaded when it is first shown. Separate pages are none of the frame's: see app.tsx. */
const LOADED: Readonly<Record<Exclude<ScreenName, "codes" | "mini" | "stage">, () => Promise<ComponentType>>> = {
  users: async () => (await import("../places/users/profiles-screen.tsx")).ProfilesScreen,
  "users/sessions": async () => (await import("../places/users/sessions-screen.tsx")).SessionsScreen,
  "users/connections": async () => (await import("../places/users/connections-screen.tsx")).ConnectionsScreen,
  requests: async () => (await import("../places/requests/requests-screen.tsx")).RequestsScreen,
  "requests/outcomes": async () => (await import("../places/requests/coverage-screen.tsx")).CoverageScreen,
  "requests/exploration": async () => (await import("../places/requests/exploration-part.tsx")).ExplorationPart,
  simulate: async () => (await import("../places/simulate/faults-screen.tsx")).FaultsScreen,
  "simulate/clock": async () => (await import("../places/simulate/clock-screen.tsx")).ClockScreen,
  setup: async () => (await import("../places/setup/connect-screen.tsx")).ConnectScreen,
  "setup/apps": async () => (await import("../places/setup/apps-screen.tsx")).AppsScreen,
  "setup/data": async () => (await import("../places/setup/data-screen.tsx")).DataScreen,
  "setup/keys": async () => (await import("../places/setup/keys-part.tsx")).KeysPart,
};

const CONTENT: ReadonlyMap<string | undefined, ComponentType> = new Map<string, ComponentType>([
  ["codes", CodesScreen],
  ...Object.entries(LOADED).map(([name, load]) => [name, later(name, load)] as const),
]);

const AwayBanner = () => (
  <div className={classes["away"]} role="alert">
    <strong>Stagedoor is not running.</strong>
    <span className="cut">
      {IS_DESKTOP ? (
        "Choose Restart Server in the menu File."
      ) : (
        <>
          Start it: <code className="mono">npm start</code>
        </>
      )}
    </span>
  </div>
);

/** The frame around every screen. */
export const Frame = () => {
  useTicks();
  const connection = useLive();
  const { address, go } = useAddress();
  const { screen } = address;
  const Content = CONTENT.get(screen) ?? NoSuchScreen;
  const title = screen === undefined ? "Not found" : SCREEN_WORDS[screen].word;
  useTitle(title, screen === "codes", address.app);
  usePasteAndDrop();
  useKeys({
    "?": openHelp,
    ...Object.fromEntries(
      PLACES.map((place, at) => [String(at + 1), () => go({ screen: place, id: null, show: null, q: "" })]),
    ),
  });
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
    <div className={classes["window"]}>
      <a className={classes["skip"]} href="#content">
        Skip to content
      </a>
      <Header />
      <Rail />
      <main ref={content} id="content" tabIndex={-1} className={`fill column ${classes["main"]}`}>
        {connection === "away" && <AwayBanner />}
        <PlaceFrame>
          {/* Another app is another list: discard all state of the old one. */}
          <ScreenBoundary key={`${screen} ${address.app}`}>
            <Suspense fallback={loading}>
              <Content />
            </Suspense>
          </ScreenBoundary>
        </PlaceFrame>
      </main>
      <StatusLine connection={connection} />
      <Announcer />
      <Palette />
    </div>
  );
};
