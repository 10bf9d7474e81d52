import { QueryClient, QueryClientProvider, type QueryKey } from "@tanstack/react-query";
import { useState } from "react";
import { recipientText } from "#contract/words/phone-words.ts";
import { faultList } from "../../api/faults.ts";
import { appsQuery, profileQuery, userSessionsQuery } from "../../api/queries.ts";
import { openDialog } from "../../ui/action.tsx";
import { StatusMark } from "../../ui/parts.tsx";
import { timelineQuery } from "../history/queries.ts";
import { outcomeWords } from "../request/query.ts";
import type { ReadLogin } from "./read-login.ts";
import { standingOf } from "./standing.ts";
import { StorySteps } from "./story-steps.tsx";

/** @returns a cache with what the file has of the login, so that nothing is asked of this Stagedoor, which has never seen it. */
const cacheOf = ({ bundle, story, apps }: ReadLogin): QueryClient => {
  const { appId, userId } = story;
  const client = new QueryClient({
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY, retry: false },
    },
  });
  const keep = (key: QueryKey, items: readonly unknown[], more: object = {}): unknown =>
    client.setQueryData(key, { items, total: items.length, ...more });
  keep(appsQuery().queryKey, apps);
  keep(faultList.query(null).queryKey, bundle.faults);
  if (appId === null || userId === null) return client;
  const timeline = bundle.timeline ?? [];
  // It cannot be rewound here.
  keep(timelineQuery(appId, userId).queryKey, timeline, { oldestSeq: Number.MAX_SAFE_INTEGER });
  // The sessions of the login are in its timeline.
  keep(userSessionsQuery(appId, userId).queryKey, []);
  const profiles = bundle.state.apps.flatMap(({ profiles: all = [] }) => all);
  const profile: QueryKey = profileQuery(appId, userId).queryKey;
  client.setQueryData(profile, profiles.find((one) => one.userId === userId) ?? null);
  return client;
};

/** A login from a file, step by step. */
export const LoginFilm = ({ login }: { readonly login: ReadLogin }) => {
  const [cache] = useState(() => cacheOf(login));
  return (
    <QueryClientProvider client={cache}>
      <StorySteps story={login.story} open elsewhere reasonOf={outcomeWords} />
    </QueryClientProvider>
  );
};

/** Shows a login from a file. */
export const openLoginFilm = (login: ReadLogin): void => {
  const { story } = login;
  // Judged when it was saved.
  const { tone, word } = standingOf(story, Date.parse(story.rows.at(-1)?.at ?? ""), undefined);
  openDialog(
    `Login of ${story.to === "" ? "no username" : recipientText(story.to)}`,
    <>
      <p>
        <StatusMark tone={tone}>{word}</StatusMark>
      </p>
      <LoginFilm login={login} />
    </>,
    "640px",
  );
};
