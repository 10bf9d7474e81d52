/**
 * The keys of the stage, of a keyboard in any layout and of a clicker: each acts once, however long it is held.
 */
import { useEffectEvent, useLayoutEffect } from "react";
import { isShortcut } from "../../ui/keys.ts";
import { useSettings } from "../../ui/settings.ts";
import { say } from "./stage-store.ts";
import { words } from "./words.ts";

/** By `KeyboardEvent.key`; letters and digits are their own names. */
const NAMES: Readonly<Record<string, string>> = {
  " ": "Space",
  ".": "B",
  PageDown: "next",
  ArrowRight: "next",
  PageUp: "back",
  ArrowLeft: "back",
  Escape: "Esc",
};
/** The keys by their place, such as `KeyQ`, where a layout has another character there. */
const PLACES: Readonly<Record<string, string>> = { Space: " ", Period: ".", Slash: "?" };

const nameOf = (character: string): string => NAMES[character] ?? character.toUpperCase();

/** @param acts by name: `1`, `Space`, `W`, `?`, `Esc`, `next`, `back`. */
export const useStageKeys = (acts: Readonly<Record<string, () => unknown>>): void => {
  const actOf = (character: string): (() => unknown) | undefined => {
    const name = nameOf(character);
    return Object.hasOwn(acts, name) ? acts[name] : undefined;
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, code, repeat } = event;
    const act = actOf(key) ?? actOf(PLACES[code] ?? /^(?:Key|Digit|Numpad)(\w)$/.exec(code)?.[1] ?? "");
    if (act === undefined || !isShortcut(event)) return;
    // It would also press the focused button.
    if (code === "Space" && document.activeElement?.matches("button, a, select")) return;
    event.preventDefault();
    if (repeat) return;
    const isSingle = key.length === 1;
    if (isSingle && !useSettings.getState().singleKeys) say(words().keysAreOff);
    else act();
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
};
