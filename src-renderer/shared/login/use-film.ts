import { useQuery } from "@tanstack/react-query";
import type { TimelineItem } from "#client/index.ts";
import { profileQuery, userSessionsQuery } from "../../api/queries.ts";
import { timelineQuery } from "../history/queries.ts";
import { type Cut, filmSteps, seqsOf, stateAfter, type UserState } from "./film.ts";
import type { Story, StoryStep } from "./stories.ts";

const NO_ITEMS: readonly TimelineItem[] = [];

const useTimeline = ({ appId, userId }: Story) => {
  const enabled = appId !== null && userId !== null;
  return useQuery({ ...timelineQuery(appId ?? "", userId ?? ""), enabled }).data;
};

/** @returns the steps of a login, with the other changes between them. */
export const useFilmSteps = (story: Story): readonly StoryStep[] =>
  filmSteps(story, useTimeline(story)?.items ?? NO_ITEMS);

/** @returns what was there after a step, and right before it; undefined: unknown. */
export const useFilm = (story: Story) => {
  const { appId, userId, passcodes } = story;
  const enabled = appId !== null && userId !== null;
  const [ofApp, ofUser] = [appId ?? "", userId ?? ""];
  const timeline = useTimeline(story);
  const { data: profile } = useQuery({ ...profileQuery(ofApp, ofUser), enabled });
  const sessions = useQuery({ ...userSessionsQuery(ofApp, ofUser), enabled }).data?.items ?? [];
  const { items = NO_ITEMS, total = 0, oldestSeq = 0 } = timeline ?? {};
  const seqs = seqsOf(filmSteps(story, items), items, items.length === total);
  const known = (seq: number | undefined): UserState | undefined =>
    seq === undefined || !timeline ? undefined : stateAfter(seq, items, { profile, sessions, passcodes });
  return {
    after: ({ key }: StoryStep) => known(seqs.get(key)),
    cutOf: (step: StoryStep): Cut | undefined => {
      const before = known(step.item ? step.item.seq - 1 : seqs.get(step.key));
      return before && { appId: ofApp, userId: ofUser, step, before, oldestSeq, newest: items[0] };
    },
  };
};
