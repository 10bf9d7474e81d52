import type { ReactNode } from "react";
import classes from "./block.module.css";
import { CopyButton } from "./copy-button.tsx";

interface CodeBlockProps {
  readonly text: string;
  /** Names it: `Command`. */
  readonly what: string;
  /** What is drawn, where that is less than what is copied. */
  readonly shown?: string;
}

/** Lines for a terminal, with a button that copies them. */
export const CodeBlock = ({ text, what, shown = text }: CodeBlockProps) => (
  <div className={`mono ${classes["block"]} ${classes["copied"]}`}>
    <pre>{shown}</pre>
    <CopyButton text={text} what={what} />
  </div>
);

interface BlockProps {
  /** Names it for a screen reader, as it takes the focus to be scrolled: `JSON`. */
  readonly label: string;
  readonly children: ReactNode;
  /** The greatest height, as CSS writes it; 480px if absent. */
  readonly most?: string;
}

/** Lines of code to read: scrolled where they are long. */
export const Block = ({ label, children, most }: BlockProps) => (
  <section
    className={`mono ${classes["block"]} ${classes["scrolled"]}`}
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    tabIndex={0}
    style={{ "--most": most }}
  >
    {children}
  </section>
);
