import { type Story, type StoryStep, stepsOf } from "../features/requests/stories.ts";
import { inARow } from "./in-a-row.ts";
import type { OfStep } from "./manifest.ts";
import { FilmState } from "./rewind/film-state.tsx";
import { useFilmSteps } from "./rewind/use-film.ts";

/** What kits know of the steps of a login: one line for each. @param _story unused where there is no kit. */
// biome-ignore format: one line a kit
const useKnown = (_story: Story): readonly (readonly StoryStep[])[] => [
  useFilmSteps(_story),
];

/** @returns the steps of a login, oldest first, with what else is known of it. */
export const useStorySteps = (story: Story): readonly StoryStep[] => useKnown(story)[0] ?? stepsOf(story);

/** What kits show of a step: one line for each. */
// biome-ignore format: one line a kit
export const StepParts = inARow<OfStep>([
  FilmState,
]);
