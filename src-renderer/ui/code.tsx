import { Group } from "@mantine/core";
import { type ComponentProps, type ReactNode, useState } from "react";
import { announce, complain, TextButton } from "./action.tsx";
import classes from "./block.module.css";
import type { CodeLook } from "./tones.ts";

/** @returns the digits in groups: threes, or fours where that comes out even. */
export const groups = (code: string): string[] => {
  const size = code.length % 3 === 0 || code.length % 4 !== 0 ? 3 : 4;
  return code.match(new RegExp(`.{1,${size}}`, "g")) ?? [code];
};

/** A code in groups. The gap is drawn, not written: a selection that is copied holds the digits alone. */
export const Code = ({ code, look }: { readonly code: string; readonly look: CodeLook }) => (
  <span className={`mono ${classes["code"]}`} data-look={look}>
    {groups(code).map((group, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one code never move
      <span key={index} className={classes["group"]}>
        {group}
      </span>
    ))}
  </span>
);

const SHOWN_MS = 1_500;

// Without https a console that is open to the LAN has no clipboard API.
const copyBySelection = (text: string): void => {
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  document.body.append(area);
  const before = document.activeElement;
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!done) throw new Error("The browser did not allow copying.");
};

/** Copies a text and says so. @param given the text, or a promise of one that is still being read. @param what names it, such as `Code`. */
export const copyText = async (given: string | Promise<string>, what: string): Promise<boolean> => {
  try {
    // A wait, however short, would be too late for some browsers.
    const text = typeof given === "string" ? given : await given;
    if (navigator.clipboard === undefined) copyBySelection(text);
    else await navigator.clipboard.writeText(text);
    announce(`${what} copied`);
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
};

/** @returns whether a copy was just made (for a moment), and what makes one. */
export const useCopy = (): { copied: boolean; copy: (text: string, what: string) => Promise<void> } => {
  const [copied, setCopied] = useState(false);
  const copy = async (text: string, what: string): Promise<void> => {
    if (!(await copyText(text, what))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return { copied, copy };
};

interface CopyButtonProps extends Pick<ComponentProps<typeof TextButton>, "variant" | "size" | "keys" | "disabled"> {
  readonly text: string;
  /** Names what is copied, for who hears the page: `Auth URL`. */
  readonly what: string;
  readonly label?: string;
}

/** A button that copies a text, and says for a moment that it did. */
export const CopyButton = ({ text, what, label = "Copy", ...button }: CopyButtonProps) => {
  const { copied, copy } = useCopy();
  return (
    <TextButton
      {...button}
      aria-label={label === "Copy" ? `Copy ${what}` : undefined}
      onClick={() => copy(text, what)}
      label={copied ? "Copied" : label}
    />
  );
};

interface CodeBlockProps {
  readonly text: string;
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

const MASK = "••••••••••••";

interface SecretProps {
  readonly secret: string;
  readonly children?: ReactNode;
}

/** The secret of an app, masked until it is asked for. */
export const Secret = ({ secret, children }: SecretProps) => {
  const [shown, setShown] = useState(false);
  return (
    <Group justify="space-between">
      <span className="mono" data-testid="secret">
        {shown ? secret : MASK}
      </span>
      <Group>
        <TextButton onClick={() => setShown(!shown)} aria-pressed={shown} label={shown ? "Hide" : "Show"} />
        <CopyButton text={secret} what="Secret" />
        {children}
      </Group>
    </Group>
  );
};
