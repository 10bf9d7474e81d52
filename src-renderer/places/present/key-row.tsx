/** The five keys of Present as buttons, and what hears them on this page. */
import { Kbd, UnstyledButton } from "@mantine/core";
import { useEffectEvent, useLayoutEffect } from "react";
import { type PresentKey, presentKeyOf } from "#contract/control/present-keys.ts";
import { isShortcut } from "../../ui/keys.ts";
import { useSettings } from "../../ui/settings.ts";
import { type ActKey, say } from "./acts.ts";
import classes from "./present.module.css";

interface KeyRowProps {
  /** What Space does next. */
  readonly next: string;
  readonly willFail: boolean;
  readonly press: (key: ActKey) => void;
}

/** A click must not move the focus: Space would press the button again. */
const keepFocus = (event: { preventDefault: () => void }): void => event.preventDefault();

/** The keys in one row, each named by what it does. */
export const KeyRow = ({ next, willFail, press }: KeyRowProps) => {
  const keys: readonly (readonly [key: ActKey, label: string, on?: boolean])[] = [
    ["Space", next],
    ["W", "Wrong code"],
    ["T", "Skip 11 min"],
    ["F", "Fail next", willFail],
    ["R", "Start over"],
  ];
  return (
    <ul className={classes["keys"]} aria-label="Keys">
      {keys.map(([key, label, on]) => (
        <li key={key}>
          <UnstyledButton
            onMouseDown={keepFocus}
            onClick={() => press(key)}
            aria-pressed={on}
            aria-keyshortcuts={key}
            data-main={key === "Space" || undefined}
          >
            <Kbd aria-hidden="true">{key}</Kbd>
            <span>{label}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
};

/** @returns a function for keys that were heard elsewhere. @param onKey called once for a key, however long it is held. */
export const usePresentKeys = (onKey: (key: PresentKey) => void) => {
  const take = useEffectEvent((key: PresentKey): void => {
    if (key.length === 1 && !useSettings.getState().singleKeys)
      say("Single keys are off: turn them on in the console's Help (?).");
    else onKey(key);
  });
  const onDown = useEffectEvent((event: KeyboardEvent) => {
    const key = presentKeyOf(event);
    if (key === undefined || !isShortcut(event)) return;
    // It presses the focused button.
    if (key === "Space" && document.activeElement?.matches("button, a, summary")) return;
    event.preventDefault();
    if (!event.repeat) take(key);
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => onDown(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return take;
};
