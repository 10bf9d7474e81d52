import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useSearch } from "wouter";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { statusQuery } from "../../api/queries.ts";
import { useLive, useTitle } from "../../shared/arrival/use-live.ts";
import { Announcer, TextButton } from "../../ui/action.tsx";
import { useTicks } from "../../ui/parts.tsx";
import { BEGINNING, usePresent } from "./acts.ts";
import { useOwnApp } from "./own-app.ts";
import { Present } from "./present.tsx";

/** A login for an audience, without an app: the page at `/stage`. */
export const PresentPage = () => {
  useTicks();
  const connection = useLive(true);
  useTitle("Present", true, null);
  const appId = new URLSearchParams(useSearch()).get("appId");
  const [begun, setBegun] = useState(0);
  const begin = useCallback(() => {
    usePresent.setState(BEGINNING);
    setBegun((times) => times + 1);
  }, []);
  useEffect(() => usePresent.setState(BEGINNING), []);
  const { own, error } = useOwnApp(appId, connection === "open", begin);
  const urls = useQuery(statusQuery()).data?.urls;
  const auth = urls?.auth;
  const firstAuth = useRef(auth);
  firstAuth.current ??= auth;
  useEffect(() => {
    // The policy of this page lets it frame auth as it was when the page came.
    if (auth !== firstAuth.current) location.reload();
  }, [auth]);
  if (own !== null && auth !== undefined)
    return (
      <>
        <Present
          key={begun}
          own={own}
          authUrl={auth}
          openUrl={isLoopbackUrl(auth) ? urls?.lan[0] : auth}
          isAway={connection === "away"}
        />
        <Announcer />
      </>
    );
  return (
    <Stack component="main" justify="center" align="center" h="100%" p={24} fz={20} lh={1.5} data-state={connection}>
      <h1>Present</h1>
      <p role={error === null ? "status" : "alert"}>{error ?? "Connecting to Stagedoor…"}</p>
      {error !== null && <TextButton href="/codes" label="Leave" />}
      <Announcer />
    </Stack>
  );
};
