import { Box, Kbd, UnstyledButton } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import type { UsernameField } from "#contract/service/strategies.ts";
import { TONES } from "../../ui/tones.ts";
import { clockWords } from "../../ui/words.ts";
import { KEYED, keepFocus } from "./foot.tsx";
import { storyOf } from "./personas.ts";
import type { Scene } from "./scenes.ts";
import classes from "./stage.module.css";
import type { Persona } from "./stage-app.ts";
import { words } from "./words.ts";

/** Maximum number of lines. */
const MOST = 5;

/** @returns a text whose private parts can be blurred. */
const guarded = (text: string, [secret, ...others]: readonly string[]): ReactNode =>
  secret === undefined
    ? text
    : text.split(secret).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
        <Fragment key={at}>
          {at > 0 && <bdi className={classes["private"]}>{secret}</bdi>}
          {guarded(part, others)}
        </Fragment>
      ));

interface ScenesProps {
  readonly scenes: readonly Scene[];
  /** Names and numbers to blur, the longest first. */
  readonly secrets: readonly string[];
  /** The current state below the last line, and details. */
  readonly now: readonly [words: string, more: string] | null;
}

/** The login, step by step. */
export const Scenes = ({ scenes, secrets, now }: ScenesProps) => (
  <ol className={classes["scenes"]} aria-label={words().thisLogin}>
    {scenes.slice(now === null ? -MOST : 1 - MOST).map(({ key, at, tone, words: title, wire }) => (
      <li key={key} style={{ "--tone": TONES[tone][0] }}>
        <time className="mono" dateTime={at ?? undefined}>
          {at === null ? "" : clockWords(at)}
        </time>
        <span className={classes["dot"]} />
        <div>
          <h2 className="cut">{guarded(title, secrets)}</h2>
          <p className={`cut mono ${classes["wire"]}`} dir="ltr">
            {guarded(wire, secrets)}
          </p>
        </div>
      </li>
    ))}
    {now !== null && (
      <li data-now>
        <span />
        <span className={classes["dot"]} />
        <div>
          <h2 className="cut">{now[0]}</h2>
          <p className={`cut ${classes["wire"]}`}>{now[1]}</p>
        </div>
      </li>
    )}
  </ol>
);

/** People in one column. */
const ONE_COLUMN = 7;
/** People in two; those after them are in the foot. */
export const MOST_CAST = 12;

interface CastProps {
  readonly personas: readonly Persona[];
  /** People who cannot sign in. */
  readonly nameless: readonly Persona[];
  readonly field: UsernameField;
  readonly onPersona: (at: number) => unknown;
}

/** The personas as buttons, between logins. */
export const Cast = ({ personas, nameless, field, onPersona }: CastProps) => (
  <ol
    aria-label={words().whoMaySignIn}
    className={classes["cast"]}
    data-many={personas.length + nameless.length > ONE_COLUMN || undefined}
  >
    {personas.slice(0, MOST_CAST).map((persona, at) => (
      <Box component="li" key={persona.userId} pb="calc(1.3 * var(--u))">
        <UnstyledButton
          onMouseDown={keepFocus}
          onClick={() => onPersona(at)}
          aria-keyshortcuts={at < KEYED ? `${at + 1}` : undefined}
        >
          {at < KEYED && (
            <Kbd aria-hidden="true" fz="inherit">
              {at + 1}
            </Kbd>
          )}
          <span className={classes["person"]}>
            <Box component="span" className={classes["private"]} fw={600} me="calc(2 * var(--u))">
              <bdi>{persona.name}</bdi>
            </Box>{" "}
            <span className="dim">{storyOf(persona)}</span>
          </span>
        </UnstyledButton>
      </Box>
    ))}
    {nameless.map(({ name }) => (
      <li key={name} className="dim">
        <bdi className={classes["private"]}>{name || words().someone}</bdi> {words().noUsername[field]}
      </li>
    ))}
    {personas.length > MOST_CAST && <li className="dim">{words().morePeople(personas.length - MOST_CAST)}</li>}
  </ol>
);
