import { Box, Group, Kbd, UnstyledButton } from "@mantine/core";
import classes from "./foot.module.css";
import { initialsOf, storyOf } from "./personas.ts";
import stage from "./stage.module.css";
import type { Persona } from "./stage-app.ts";
import { words } from "./words.ts";

/** A shortcut of the stage, also available as a button. */
export interface StageKey {
  readonly cap: string;
  readonly label: string;
  readonly act: () => unknown;
  readonly on?: boolean;
  /** With its label; the other labels appear with `?`. */
  readonly isMain?: boolean;
  /** Of a clicker, which has no use for buttons: only with `?`. */
  readonly isOfClicker?: boolean;
}

/** A click must not move the focus: Space would press the button again. */
export const keepFocus = (event: { preventDefault: () => void }): void => event.preventDefault();

/** People with a digit as their key, and as many as stand beside the keys. */
export const KEYED = 9;
const ON_LINE = 6;

interface FootProps {
  readonly keys: readonly StageKey[];
  readonly showsAll: boolean;
  /** Whether no name may be shown. */
  readonly isBlurred: boolean;
  readonly personas: readonly Persona[];
  /** How many of them, the first ones, stand above already. */
  readonly above: number;
  /** The persona of the current login. */
  readonly current: string | null;
  readonly onPersona: (at: number) => unknown;
}

/** Shortcuts and personas as buttons. */
export const Foot = ({ keys, showsAll, isBlurred, personas, above, current, onPersona }: FootProps) => (
  <footer
    className={classes["foot"]}
    data-all={showsAll || undefined}
    data-many={personas.length - above > ON_LINE || undefined}
  >
    <Group component="ul" gap="calc(1 * var(--u)) calc(1.2 * var(--u))" aria-label={words().keys}>
      {keys
        .filter(({ isOfClicker }) => showsAll || !isOfClicker)
        .map(({ cap, label, act, on, isMain }) => (
          <li key={cap}>
            <UnstyledButton
              onMouseDown={keepFocus}
              onClick={act}
              aria-pressed={on}
              aria-keyshortcuts={cap}
              title={isMain || showsAll ? undefined : label}
            >
              <Kbd>{cap}</Kbd> <span className={isMain || showsAll ? undefined : "spoken"}>{label}</span>
            </UnstyledButton>
          </li>
        ))}
    </Group>
    {personas.length > above && (
      <ol className={classes["people"]} aria-label={words().people} start={above + 1}>
        {personas.map(
          (persona, at) =>
            at >= above && (
              <li key={persona.userId}>
                <UnstyledButton
                  onMouseDown={keepFocus}
                  onClick={() => onPersona(at)}
                  aria-pressed={persona.userId === current}
                  aria-keyshortcuts={at < KEYED ? `${at + 1}` : undefined}
                  title={isBlurred ? undefined : [persona.name, storyOf(persona)].filter(Boolean).join(": ")}
                >
                  <span aria-hidden="true" className={stage["private"]}>
                    {initialsOf(persona.name ?? "") || "?"}
                  </span>
                  <span className="spoken">{persona.name}</span>
                  <Box component="span" className="mono" fz="calc(1.75 * var(--u))" c="dimmed" aria-hidden="true">
                    {at < KEYED ? at + 1 : "\u00a0"}
                  </Box>
                </UnstyledButton>
              </li>
            ),
        )}
      </ol>
    )}
  </footer>
);
