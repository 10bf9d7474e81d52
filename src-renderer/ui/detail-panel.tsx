import { Button, Kbd } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import classes from "./detail-panel.module.css";
import { useKeys } from "./keys.ts";

const COVERING = "(width < 1000px)";

interface DetailPanelProps {
  /** Names the panel, where it is not the title alone: `Code 482917`. */
  readonly label?: string;
  readonly title: string;
  /** As it is drawn, where that is more than text. */
  readonly head?: ReactNode;
  /** The line below the title: an id, an app. */
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
        <Button variant="subtle" color="gray" c="dimmed" px={8} rightSection={<Kbd>Esc</Kbd>} onClick={onClose}>
          Close
        </Button>
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
