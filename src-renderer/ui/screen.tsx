import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { explain } from "../api/emulator.ts";
import { TextButton } from "./action.tsx";
import { useKeys } from "./keys.ts";
import classes from "./screen.module.css";

interface ScreenProps {
  readonly title: string;
  readonly tools?: ReactNode;
  /** At the far end: a word on the order, or how much is shown. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
  readonly detail?: ReactNode;
}

/** Title bar, content, and the detail beside it; in a narrow window the detail covers the content. */
export const Screen = ({ title, tools, note, children, detail }: ScreenProps) => (
  <div className={`fill ${classes["screen"]}`} data-detail={detail ? true : undefined}>
    <section className="fill column" aria-labelledby="screen-title">
      <div className={classes["bar"]}>
        <h1 id="screen-title">{title}</h1>
        {tools}
        <span className={classes["note"]}>{note}</span>
      </div>
      {children}
    </section>
    {detail}
  </div>
);

interface PageProps {
  /** Two children side by side, where there is room. */
  readonly columns?: boolean;
  readonly children: ReactNode;
}

/** The scrolling content of a screen, as wide as lines are read well. */
export const Page = ({ columns = false, children }: PageProps) => (
  <div className={classes["page"]} data-columns={columns || undefined}>
    {children}
  </div>
);

interface SectionProps {
  readonly title: ReactNode;
  readonly words?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page under its heading, which names it. */
export const Section = ({ title, words, children }: SectionProps) => {
  const id = useId();
  return (
    <section className={classes["section"]} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {words !== undefined && <p className={classes["words"]}>{words}</p>}
      {children}
    </section>
  );
};

const SKELETON_AFTER_MS = 150;

/** Rows to come; nothing at all for the first moment, which is most often enough. */
export const LoadingRows = () => {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return <div className={classes["loading"]} role="status" aria-label="Loading" data-late={late || undefined} />;
};

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly role?: "alert";
}

/** Nothing there yet, or nothing found: what that means, and the next step. */
export const Empty = ({ title, children, role }: EmptyProps) => (
  <div className={classes["empty"]} role={role}>
    <h2>{title}</h2>
    {children}
  </div>
);

/** What went wrong, in the server's words; nothing if nothing did. */
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

/** What was read, which outlives a later reading that failed; until then rows to come, or why there are none. */
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

const COVERING = "(width < 1000px)";

interface DetailPanelProps {
  /** Names the panel, where it is not the title alone: `Code 482917`. */
  readonly label?: string;
  readonly title: string;
  /** As it is drawn, where that is more than text. */
  readonly head?: ReactNode;
  readonly sub?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** For what needs room: bodies, forms. */
  readonly wide?: boolean;
}

/** The panel of the selected row; in a narrow window it covers the list. Esc closes it. */
export const DetailPanel = (props: DetailPanelProps) => {
  const { title, label = title, head = title, sub, onClose, children, wide = false } = props;
  const panel = useRef<HTMLElement>(null);
  const [before] = useState(() => document.activeElement);
  useKeys({ escape: onClose });
  // Where it covers the list, the focus would otherwise stay on a row that cannot be seen.
  useEffect(() => {
    const holdsFocus = panel.current?.contains(document.activeElement) ?? false;
    if (!holdsFocus && window.matchMedia(COVERING).matches) panel.current?.focus();
    return () => {
      // What had the focus went with the panel: back to where it came from.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, [before]);
  return (
    <section ref={panel} className={classes["panel"]} aria-label={label} tabIndex={-1} data-wide={wide || undefined}>
      <div className={classes["close"]}>
        <TextButton quiet keys="Esc" onClick={onClose} label="Close" />
      </div>
      <div className={classes["head"]}>
        <h2>
          <bdi>{head}</bdi>
        </h2>
        {sub !== undefined && <p className="dim">{sub}</p>}
      </div>
      {children}
    </section>
  );
};

/** A part of a panel, under a quiet heading. */
export const DetailPart = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={classes["part"]}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** The last line of a form in a panel: buttons, and a `p` above them for what is wrong. */
export const PanelFoot = ({ children }: { readonly children: ReactNode }) => (
  <div className={classes["foot"]}>{children}</div>
);
