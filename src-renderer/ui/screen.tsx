import { Box, Button, Group, Kbd, Stack } from "@mantine/core";
import { useTimeout } from "@mantine/hooks";
import {
  createContext,
  type PropsWithChildren,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { explain } from "../api/emulator.ts";
import { TextButton } from "./action.tsx";
import { railPlaceOf, useAddress } from "./address.ts";
import { useKeys } from "./keys.ts";
import classes from "./screen.module.css";
import { PlaceTabs } from "./tabs.tsx";

/** Where a screen puts what does not stand in its list: the bar, and the frame next to the list. */
const Slots = createContext<Readonly<Record<"bar" | "frame", HTMLElement>> | null>(null);

/** A place: its bar with the tabs, which stays while one of its screens follows another, and below it that screen. */
export const PlaceFrame = ({ children }: PropsWithChildren) => {
  const place = railPlaceOf(useAddress().address.screen);
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const slots = useMemo(() => bar && frame && { bar, frame }, [bar, frame]);
  // A list of sentences rather than of names gets 59 % of the width instead of 46 %.
  const isWide = place !== "codes" && place !== "users";
  return (
    <div ref={setFrame} className={`fill ${classes["screen"]}`} data-wide={isWide || undefined}>
      <section className="fill column" aria-labelledby="screen-title">
        <div ref={setBar} className={classes["bar"]}>
          <PlaceTabs />
        </div>
        {slots && <Slots value={slots}>{children}</Slots>}
      </section>
    </div>
  );
};

interface ScreenProps {
  readonly title: string;
  /** In the bar, after the tabs: filters and buttons. */
  readonly tools?: ReactNode;
  /** At the far end: a note about the order, or how much is shown. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
  /** In place of what is in the bar, while there is something more urgent. */
  readonly over?: ReactNode;
  /**
   * The other pane. Without it the list has all of the width. On a phone it covers the list; above it with `data-below`,
   * and below it if it is a `SidePanel`.
   */
  readonly detail?: ReactNode;
}

/** A screen of a place: what it has in the bar, the list below it, and the detail next to both. */
export const Screen = ({ title, tools, note, children, over, detail }: ScreenProps) => {
  const slots = useContext(Slots);
  return (
    slots && (
      <>
        <h1 id="screen-title" className="spoken">
          {title}
        </h1>
        {createPortal(
          <>
            {over ? <div className={classes["over"]}>{over}</div> : tools}
            {note && <span className={classes["note"]}>{note}</span>}
          </>,
          slots.bar,
        )}
        {children}
        {createPortal(detail, slots.frame)}
      </>
    )
  );
};

/** The scrolling content of a screen, limited to a readable width; in two columns if wide enough. */
export const Page = ({ columns = false, children }: PropsWithChildren<{ readonly columns?: boolean }>) => (
  <div className={classes["page"]} data-columns={columns || undefined}>
    {children}
  </div>
);

/** A section of a page, labelled by its heading. */
export const Section = ({ title, words, children }: PropsWithChildren<{ title: ReactNode; words?: ReactNode }>) => {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Box component="h2" mb={8} id={id}>
        {title}
      </Box>
      {words !== undefined && (
        <Box component="p" className="dim" maw={640} mb={8}>
          {words}
        </Box>
      )}
      {children}
    </section>
  );
};

const SKELETON_AFTER_MS = 150;

/** Placeholder rows after a delay, because most lists load sooner. */
export const LoadingRows = () => {
  const [late, setLate] = useState(false);
  useTimeout(() => setLate(true), SKELETON_AFTER_MS, { autoInvoke: true });
  return <div className={classes["loading"]} role="status" aria-label="Loading" data-late={late || undefined} />;
};

/** An empty list or no match: what that means, and what to do. */
export const Empty = ({ title, children, role }: PropsWithChildren<{ title: string; role?: "alert" }>) => (
  <Stack className={classes["empty"] ?? ""} align="center" px={16} py={40} role={role}>
    <h2>{title}</h2>
    {children}
  </Stack>
);

/** An error message; nothing without an error. */
export const Wrong = ({ error }: { readonly error: unknown }) =>
  (error ?? null) !== null && (
    <p role="alert" className="bad">
      {typeof error === "string" ? error : explain(error)}
    </p>
  );

interface LoadedProps<T> {
  readonly of: { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly what?: string;
  readonly children: (data: T) => ReactNode;
}

/** Loaded data, which stays after a failed reload; until then placeholder rows, or the error. */
export const Loaded = <T,>({ of: { data, error, refetch }, what = "This list", children }: LoadedProps<T>) => {
  if (data !== undefined) return children(data);
  if (error === null) return <LoadingRows />;
  return (
    <Empty role="alert" title={`${what} could not be read`}>
      <p>{explain(error)}</p>
      <Button onClick={() => refetch()}>Try again</Button>
    </Empty>
  );
};

const COVERING = "(width < 700px)";

interface DetailPanelProps {
  /** The accessible name of the panel, if not just the title: `Code 482917`. */
  readonly label?: string;
  readonly title: string;
  readonly sub?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The panel of the selected row; covers the list on a phone. Esc closes it. */
export const DetailPanel = (props: DetailPanelProps) => {
  const { title, label = title, sub, onClose, children } = props;
  const panel = useRef<HTMLElement>(null);
  const [before] = useState(() => document.activeElement);
  useKeys({ escape: onClose });
  // When it covers the list, the focus must not stay on a hidden row; what it replaces may have had the focus.
  useEffect(() => {
    const holdsFocus = panel.current?.contains(document.activeElement) ?? false;
    const isLost = document.activeElement === document.body;
    if (!holdsFocus && (isLost || window.matchMedia(COVERING).matches)) panel.current?.focus();
    return () => {
      // Closing the panel removed the focus: return it to where it was.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, [before]);
  return (
    <section ref={panel} className={classes["panel"]} aria-label={label} tabIndex={-1}>
      <div className={classes["close"]}>
        <TextButton quiet keys="Esc" onClick={onClose} label="Close" />
      </div>
      <div className={classes["head"]}>
        <h2>
          <bdi>{title}</bdi>
        </h2>
        {sub !== undefined && <p className="dim">{sub}</p>}
      </div>
      {children}
    </section>
  );
};

/** A panel that belongs to the screen: it is always there, and never covers the list. */
export const SidePanel = ({ title, words, children }: PropsWithChildren<{ title: string; words: string }>) => (
  <section className={`${classes["panel"]} ${classes["side"]}`} aria-label={title}>
    <div className={classes["head"]}>
      <h2>{title}</h2>
      <p className="dim">{words}</p>
    </div>
    {children}
  </section>
);

/** A section of a panel. */
export const DetailPart = ({ title, keys, children }: PropsWithChildren<{ title: string; keys?: string }>) => (
  <section className={classes["part"]}>
    <h2>
      {title}
      {keys !== undefined && (
        <Kbd aria-hidden ml={8}>
          {keys}
        </Kbd>
      )}
    </h2>
    {children}
  </section>
);

/** The foot of a form in a panel: buttons, and a `p` above them for errors. */
export const PanelFoot = ({ children }: PropsWithChildren) => (
  <Group className={classes["foot"] ?? ""} px={16} py={12}>
    {children}
  </Group>
);
