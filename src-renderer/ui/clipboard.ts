import { useState } from "react";
import { announce } from "./announcer.tsx";
import { complain } from "./complain.ts";

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
