/** Single-key shortcuts, inactive while typing, with modifier keys, and under open dialogs. */
import { useEffectEvent, useLayoutEffect } from "react";
import { useSettings } from "./settings.ts";

/** The shortcut that submits a form from a field in which Enter inserts a line, as written on this platform. */
export const SAVE_KEYS: string = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ Enter" : "Ctrl Enter";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type='checkbox']), textarea, select"));
const inOverlay = (target: EventTarget | null): boolean =>
  (target instanceof HTMLElement && target.closest('[role="menu"], [role="radiogroup"]') !== null) ||
  document.querySelector('[role="dialog"]') !== null;

/** @returns whether an event is for the page as a whole: no field has the focus, and no menu or dialog is open. */
export const isForPage = (event: Event): boolean =>
  !event.defaultPrevented && !isTyping(event.target) && !inOverlay(event.target);

/** @returns whether a key press is meant as a shortcut: for the page, and without modifiers. */
export const isShortcut = (event: KeyboardEvent): boolean =>
  isForPage(event) &&
  !event.isComposing &&
  !["Control", "Meta", "Alt", "AltGraph"].some((key) => event.getModifierState(key));

/** Actions by `KeyboardEvent.key`, long names in lower case (`arrowdown`); false: not handled. */
export type Keys = Readonly<Record<string, (() => unknown) | undefined>>;

/** Binds keys while the component is mounted: in a layout effect, so that no early key is lost. */
export const useKeys = (keys: Keys): void => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.length === 1 ? event.key : event.key.toLowerCase();
    const act = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (act === undefined || !isShortcut(event) || (key.length === 1 && !useSettings.getState().singleKeys)) return;
    if (act() !== false) event.preventDefault();
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
};
