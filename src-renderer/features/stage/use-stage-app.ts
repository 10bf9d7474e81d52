import { useWindowEvent } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { dropApp, explain } from "../../api/emulator.ts";
import type { Connection } from "../../api/stream.ts";
import { makeStageApp, RENEW_MS, renewStageApp, type StageApp } from "./stage-app.ts";

/**
 * The app of this stage, from the server's coming until the page is closed; renewed, and created again if lost.
 * @param sourceId the app with the personas. @param onMadeAgain called after the server had lost it.
 */
export const useStageApp = (sourceId: string | null, connection: Connection, onMadeAgain: () => void) => {
  const [stage, setStage] = useState<StageApp | null>(null);
  const [error, setError] = useState<string | null>(null);
  const isOpen = connection === "open";

  useEffect(() => {
    if (!isOpen || stage !== null) return;
    let isGone = false;
    makeStageApp(sourceId).then(
      (made) => (isGone ? dropApp(made.app.appId) : setStage(made)),
      (reason: unknown) => setError(explain(reason)),
    );
    return () => {
      isGone = true;
    };
  }, [isOpen, stage, sourceId]);

  useEffect(() => {
    if (stage === null) return;
    return () => dropApp(stage.app.appId);
  }, [stage]);
  useWindowEvent("pagehide", () => stage && dropApp(stage.app.appId));
  // A page restored from the back/forward cache has lost its app.
  useWindowEvent("pageshow", ({ persisted }) => persisted && location.reload());

  useEffect(() => {
    if (!isOpen || stage === null) return;
    const renew = (): void =>
      void renewStageApp(stage).then(
        (isNew) => isNew && onMadeAgain(),
        // An unreachable server is reported elsewhere, and retried when it is back.
        () => undefined,
      );
    renew();
    const timer = setInterval(renew, RENEW_MS);
    return () => clearInterval(timer);
  }, [isOpen, stage, onMadeAgain]);

  return { stage, error };
};
