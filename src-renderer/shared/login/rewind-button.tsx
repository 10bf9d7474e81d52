import { TextButton, useAction } from "../../ui/action.tsx";
import { useKeys } from "../../ui/keys.ts";
import { canRewind, rewindBefore } from "./rewind-before.ts";
import type { OfStep } from "./stories.ts";
import { useFilm } from "./use-film.ts";

/** Rewinds the user to before a step of a login. */
export const RewindButton = ({ story, step }: OfStep) => {
  const cut = useFilm(story).cutOf(step);
  const { busy, run } = useAction(rewindBefore);
  const possible = cut !== undefined && canRewind(cut);
  // As long as the button is shown, whatever has the focus.
  useKeys({ z: () => possible && run(cut) });
  return possible && <TextButton loading={busy} keys="z" label="Rewind to before this" onClick={() => run(cut)} />;
};
