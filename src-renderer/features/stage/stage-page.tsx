import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useSearch } from "wouter";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { statusQuery } from "../../api/queries.ts";
import { useLive, useTitle } from "../../shared/arrival/use-live.ts";
import { Announcer, TextButton } from "../../ui/action.tsx";
import { useTicks } from "../../ui/parts.tsx";
import { Show } from "./show.tsx";
import { BEGINNING, useStage } from "./stage-store.ts";
import { useLanguage } from "./use-language.ts";
import { useSilence } from "./use-silence.ts";
import { useStageApp } from "./use-stage-app.ts";
import { words } from "./words.ts";

/** The stage: a login for an audience, without an app. */
export const StagePage = () => {
  useTicks();
  const connection = useLive(true);
  const search = new URLSearchParams(useSearch());
  const isSpoken = useLanguage(search.get("lang"));
  useTitle(words().title, true, null);
  const [begun, setBegun] = useState(0);
  const begin = useCallback(() => {
    useStage.setState(({ blurred, address, at, beganAt }) => ({ ...BEGINNING, blurred, address, at, beganAt }));
    setBegun((times) => times + 1);
  }, []);
  const isAway = useSilence() || connection === "away";
  const { stage, error } = useStageApp(search.get("appId"), connection === "open", begin);
  const urls = useQuery(statusQuery()).data?.urls;
  const auth = urls?.auth;
  const firstAuth = useRef(auth);
  firstAuth.current ??= auth;
  useEffect(() => {
    // The policy of this page lets it frame auth as it was when the page came.
    if (auth !== firstAuth.current) location.reload();
  }, [auth]);
  if (!isSpoken) return null;
  if (stage !== null && auth !== undefined)
    return (
      <Show
        key={begun}
        stage={stage}
        authUrl={auth}
        isOpen={(urls?.lan.length ?? 0) > 0 || !isLoopbackUrl(auth)}
        isAway={isAway}
        speed={Number(search.get("play")) || 0}
      />
    );
  return (
    <Stack component="main" justify="center" align="center" h="100%" p={24} fz={20} lh={1.5} data-state={connection}>
      <h1>{words().title}</h1>
      <p role={error === null ? "status" : "alert"}>{error ?? words().connecting}</p>
      {error !== null && <TextButton href="/inbox" label={words().leave} />}
      <Announcer />
    </Stack>
  );
};
