import { Box, Group, Kbd, UnstyledButton } from "@mantine/core";
import classes from "./foot.module.css";
import { initialsOf, storyOf } from "./personas.ts";
import stage from "./stage.module.css";
import type { Persona } from "./stage-app.ts";
import { words } from "./words.ts";

/** A shortcut of the stage, also available as a button. */
export interface StageKey {
  /** The `KeyboardEvent.key`; `cap` is its label. */
  readonly key: string;
  readonly cap: string;
  readonly label: string;
  readonly act: () => unknown;
  readonly on?: boolean;
}

// A click must not move the focus: Space would press the button again.
const keepFocus = (event: { preventDefault: () => void }): void => event.preventDefault();

interface FootProps {
  readonly keys: readonly StageKey[];
  readonly personas: readonly Persona[];
  /** The persona of the current login. */
  readonly current: string | null;
  readonly onPersona: (at: number) => void;
}

/** Shortcuts and personas as buttons. */
export const Foot = ({ keys, personas, current, onPersona }: FootProps) => (
  <footer className={classes["foot"]}>
    <Group component="ul" gap="calc(1.1 * var(--u)) calc(1.9 * var(--u))" aria-label={words().keys}>
      {keys.map(({ key, cap, label, act, on }) => (
        <li key={key}>
          <UnstyledButton onMouseDown={keepFocus} onClick={act} aria-pressed={on} aria-keyshortcuts={cap}>
            <Kbd>{cap}</Kbd> {label}
          </UnstyledButton>
        </li>
      ))}
    </Group>
    <ol className={classes["people"]} aria-label={words().people}>
      {personas.map((persona, at) => (
        <li key={persona.userId}>
          <UnstyledButton
            onMouseDown={keepFocus}
            onClick={() => onPersona(at)}
            aria-pressed={persona.userId === current}
            aria-keyshortcuts={`${at + 1}`}
            title={[persona.name, storyOf(persona)].filter(Boolean).join(": ")}
          >
            <span aria-hidden="true" className={stage["private"]}>
              {initialsOf(persona.name ?? "") || "?"}
            </span>
            <span className="spoken">{persona.name}</span>
            <Box component="span" className="mono" fz="calc(1.75 * var(--u))" c="dimmed" aria-hidden="true">
              {at + 1}
            </Box>
          </UnstyledButton>
        </li>
      ))}
    </ol>
  </footer>
);
