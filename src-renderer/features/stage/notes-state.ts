/** What the presenter's notes show of a stage, in words. */
import type { StageKey } from "./foot.tsx";
import type { NotesState } from "./notes-channel.ts";
import { storyOf } from "./personas.ts";
import type { StageApp } from "./stage-app.ts";
import { useStage } from "./stage-store.ts";

/** How many steps are shown ahead. */
const AHEAD = 5;
/** Keys that the notes have as large buttons, or that would end the show. */
const NOT_LISTED = ["PgUp", "PgDn", "Esc", "?", "N"];

/** @param upcoming what *next* presses. @param stands how the phone stands. */
export const notesOf = (
  { app, personas }: StageApp,
  upcoming: string | undefined,
  keys: readonly StageKey[],
  stands: string,
  code: string,
): NotesState => {
  const { show = [] } = app.settings;
  const { at, said, beganAt } = useStage.getState();
  const wordsOf = (cap: string): string => {
    const persona = personas[Number(cap) - 1];
    const words = persona ? [persona.name, storyOf(persona)] : [keys.find((key) => key.cap === cap)?.label];
    return `${cap} · ${words.filter(Boolean).join(": ")}`;
  };
  const ahead = show.length > 0 ? show.slice(at, at + AHEAD) : upcoming === undefined ? [] : [upcoming];
  return {
    coming: ahead.map(wordsOf),
    done: at,
    steps: show.length,
    stands,
    code,
    said,
    beganAt,
    keys: keys.filter(({ cap }) => !NOT_LISTED.includes(cap)).map(({ cap, label, on = false }) => ({ cap, label, on })),
  };
};
