import { Group } from "@mantine/core";
import { type ComponentProps, type PropsWithChildren, useState } from "react";
import { groups } from "#contract/words/code-words.ts";
import { announce, complain, TextButton } from "./action.tsx";
import classes from "./block.module.css";
import type { CodeLook } from "./tones.ts";

/** A code in groups. The gaps are drawn with CSS, so that a copied selection has only the digits. */
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

// Without https, a console that is open to the LAN has no clipboard API.
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

/** Copies a text and announces it. @param given the text, or a promise of it. @param what its name, such as `Code`. */
export const copyText = async (given: string | Promise<string>, what: string): Promise<boolean> => {
  try {
    // In some browsers any wait before the copy is too late.
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

/** @returns whether a copy was just made (for a moment), and a copy function. */
export const useCopy = () => {
  const [copied, setCopied] = useState(false);
  const copy = async (text: string | Promise<string>, what: string): Promise<void> => {
    if (!(await copyText(text, what))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return { copied, copy };
};

/** The digits, as large as fits; a click copies them. */
export const BigCode = ({ code, look }: Parameters<typeof Code>[0]) => {
  const { copied, copy } = useCopy();
  // In digit widths of 0.6 em.
  const wide = code.length + 0.6 * (groups(code).length - 1);
  return (
    <p className={classes["big"]} data-testid="code" style={{ "--wide": wide }}>
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Copy ${code}`}
        title={copied ? "Copied" : "Copy"}
        onClick={() => copy(code, "Code")}
      >
        <Code code={code} look={look} />
      </button>
    </p>
  );
};

interface CopyButtonProps extends Pick<ComponentProps<typeof TextButton>, "variant" | "size" | "keys" | "disabled"> {
  /** A function if the text takes long to make. */
  readonly text: string | (() => Promise<string>);
  /** What is copied, for screen readers: `Auth URL`. */
  readonly what: string;
  readonly label?: string;
}

/** A button that copies a text and briefly confirms it. */
export const CopyButton = ({ text, what, label = "Copy", ...button }: CopyButtonProps) => {
  const { copied, copy } = useCopy();
  return (
    <TextButton
      {...button}
      aria-label={label === "Copy" && button.keys === undefined ? `Copy ${what}` : undefined}
      onClick={() => copy(typeof text === "string" ? text : text(), what)}
      label={copied ? "Copied" : label}
    />
  );
};

/** Commands for a terminal, with a copy button. `shown`: the displayed text, if shorter than the copied one. */
export const CodeBlock = ({ text, what, shown = text }: { text: string; what: string; shown?: string }) => (
  <div className={`mono ${classes["block"]} ${classes["copied"]}`}>
    <pre>{shown}</pre>
    <CopyButton text={text} what={what} />
  </div>
);

/** Read-only lines of code, scrolling if taller than 480px. `label`: the accessible name, such as `JSON`. */
export const Block = ({ label, children }: PropsWithChildren<{ readonly label: string }>) => (
  <section
    className={`mono ${classes["block"]} ${classes["scrolled"]}`}
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    tabIndex={0}
  >
    {children}
  </section>
);

const MASK = "••••••••••••";

/** An app secret, masked until revealed. */
export const Secret = ({ secret, children }: PropsWithChildren<{ readonly secret: string }>) => {
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
