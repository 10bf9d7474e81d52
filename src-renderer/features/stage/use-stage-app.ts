import { useEffect, useState } from "react";
import { dropApp, explain } from "../../api/emulator.ts";
import type { Connection } from "../../api/stream.ts";
import { makeStageApp, RENEW_MS, renewStageApp, type StageApp } from "./stage-app.ts";

/**
 * The app of this stage: created when the server is reachable, renewed while the page is open, created again if lost,
 * and deleted when the page is closed.
 * @param sourceId the app with the personas. @param onMadeAgain called after the server had lost it.
 */
export const useStageApp = (
  sourceId: string | null,
  connection: Connection,
  onMadeAgain: () => void,
): { readonly stage: StageApp | null; readonly error: string | null } => {
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
    const drop = (): void => dropApp(stage.app.appId);
    // A page restored from the back/forward cache has lost its app.
    const back = ({ persisted }: PageTransitionEvent): void => (persisted ? location.reload() : undefined);
    window.addEventListener("pagehide", drop);
    window.addEventListener("pageshow", back);
    return () => {
      window.removeEventListener("pagehide", drop);
      window.removeEventListener("pageshow", back);
      drop();
    };
  }, [stage]);

  useEffect(() => {
    if (!isOpen || stage === null) return;
    const renew = async (): Promise<void> => {
      if (await renewStageApp(stage)) onMadeAgain();
    };
    // An unreachable server is reported elsewhere, and retried when it is back.
    const renewQuietly = (): void => void renew().catch(() => undefined);
    renewQuietly();
    const timer = setInterval(renewQuietly, RENEW_MS);
    return () => clearInterval(timer);
  }, [isOpen, stage, onMadeAgain]);

  return { stage, error };
};
