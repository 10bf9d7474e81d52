import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { explain } from "../../api/emulator.ts";
import { appQuery } from "../../api/queries.ts";
import { openStageApp, RENEW_MS, renewStageApp, type StageApp } from "./stage-app.ts";

/**
 * The app of this stage, from the server's coming on; renewed, and created again if lost.
 * @param sourceId the app with the personas. @param onMadeAgain called after the server had lost it.
 */
export const useStageApp = (sourceId: string | null, isOpen: boolean, onMadeAgain: () => void) => {
  const [stage, setStage] = useState<StageApp | null>(null);
  const [error, setError] = useState<string | null>(null);
  const isThere = useQuery({ ...appQuery(stage?.app.appId ?? ""), enabled: stage !== null }).data !== null;

  useEffect(() => {
    if (!isOpen || stage !== null) return;
    let isLeft = false;
    openStageApp(sourceId).then(
      (opened) => (isLeft ? opened.release() : setStage(opened)),
      (reason: unknown) => setError(explain(reason)),
    );
    return () => {
      isLeft = true;
    };
  }, [isOpen, stage, sourceId]);

  useEffect(() => stage?.release, [stage]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an app that was deleted is made again at once
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
  }, [isOpen, stage, onMadeAgain, isThere]);

  return { stage, error };
};
