import { Button, Kbd } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import classes from "./detail-panel.module.css";
import { useKeys } from "./keys.ts";

const COVERING = "(width < 1000px)";

interface DetailPanelProps {
  /** Names the panel: `Code 482917`. */
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** For what needs room: bodies, forms. */
  readonly wide?: boolean;
}

/** The panel of the selected row. Esc closes it. */
export const DetailPanel = ({ label, onClose, children, wide = false }: DetailPanelProps) => {
  const panel = useRef<HTMLElement>(null);
  useKeys({ escape: onClose });
  // Where it covers the list, the focus would otherwise stay on a row that cannot be seen.
  useEffect(() => {
    const holdsFocus = panel.current?.contains(document.activeElement) ?? false;
    if (!holdsFocus && window.matchMedia(COVERING).matches) panel.current?.focus();
  }, []);
  return (
    <section ref={panel} className={classes.panel} aria-label={label} tabIndex={-1} data-wide={wide || undefined}>
      <Button
        className={classes.close ?? ""}
        variant="subtle"
        color="gray"
        rightSection={<Kbd>Esc</Kbd>}
        onClick={onClose}
      >
        Close
      </Button>
      {children}
    </section>
  );
};

/** A part of a panel, under a quiet heading. */
export const DetailPart = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={classes.part}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** Names and values, one pair a line. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={classes.facts}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
