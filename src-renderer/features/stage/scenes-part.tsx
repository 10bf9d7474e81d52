import { Kbd } from "@mantine/core";
import { TONES } from "../../ui/tones.ts";
import { clockWords } from "../../ui/words.ts";
import { storyOf } from "./personas.ts";
import type { Scene } from "./scenes.ts";
import classes from "./stage.module.css";
import type { Persona } from "./stage-app.ts";

/** Maximum number of lines. */
const MOST = 5;

/** A text whose private parts can be blurred. */
const Guarded = ({ text, secrets }: { readonly text: string; readonly secrets: readonly string[] }) => {
  let at = 0;
  const parts: { readonly key: number; readonly text: string; readonly isPrivate: boolean }[] = [];
  while (at < text.length) {
    const found = secrets
      .map((secret) => ({ secret, from: secret === "" ? -1 : text.indexOf(secret, at) }))
      .filter(({ from }) => from >= 0)
      .sort((a, b) => a.from - b.from || b.secret.length - a.secret.length)[0];
    const from = found?.from ?? text.length;
    if (from > at) parts.push({ key: at, text: text.slice(at, from), isPrivate: false });
    if (found !== undefined) parts.push({ key: from, text: found.secret, isPrivate: true });
    at = from + (found?.secret.length ?? 0);
  }
  return parts.map(({ key, text: part, isPrivate }) =>
    isPrivate ? (
      <bdi key={key} className={classes["private"]}>
        {part}
      </bdi>
    ) : (
      part
    ),
  );
};

interface ScenesProps {
  readonly scenes: readonly Scene[];
  /** Names and numbers to blur. */
  readonly secrets: readonly string[];
  /** The current state below the last line, and details. */
  readonly now: readonly [words: string, more: string] | null;
}

/** The login, step by step. */
export const Scenes = ({ scenes, secrets, now }: ScenesProps) => (
  <ol className={classes["scenes"]} aria-label="This login">
    {scenes.slice(now === null ? -MOST : 1 - MOST).map(({ key, at, tone, words, wire }) => (
      <li key={key} style={{ "--tone": TONES[tone][0] }}>
        <time className="mono" dateTime={at ?? undefined}>
          {at === null ? "" : clockWords(at)}
        </time>
        <div>
          <h2>
            <Guarded text={words} secrets={secrets} />
          </h2>
          <p className={`mono ${classes["wire"]}`} dir="ltr">
            <Guarded text={wire} secrets={secrets} />
          </p>
        </div>
      </li>
    ))}
    {now !== null && (
      <li data-now>
        <span />
        <div>
          <h2>{now[0]}</h2>
          <p className={classes["wire"]}>{now[1]}</p>
        </div>
      </li>
    )}
  </ol>
);

/** The personas, while nobody is signing in. */
export const Cast = ({ personas }: { readonly personas: readonly Persona[] }) => (
  <ol className={classes["cast"]} aria-label="Who may sign in">
    {personas.map((persona, at) => (
      <li key={persona.userId}>
        <Kbd aria-hidden="true">{at + 1}</Kbd>
        <strong className={classes["private"]}>
          <bdi>{persona.name}</bdi>
        </strong>
        <span className="dim cut">{storyOf(persona)}</span>
      </li>
    ))}
  </ol>
);
