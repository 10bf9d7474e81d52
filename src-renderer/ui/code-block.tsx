import classes from "./code-block.module.css";
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
  <div className={classes.block}>
    <pre className={`mono ${classes.text}`}>{shown}</pre>
    <CopyButton text={text} what={what} />
  </div>
);
