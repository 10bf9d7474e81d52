/**
 * What a browser keeps of its stages, so that each goes on after F5, after leaving, and in another tab in its place. Ids and toggles, no secret.
 */
import { z } from "zod";
import { useStage } from "./stage-store.ts";

const keptStage = z.object({
  appId: z.string(),
  /** The app that was asked for; null: the first one with people. */
  sourceId: z.string().nullable(),
  /** The look and the people that it began with, to notice when these change. */
  source: z.string(),
  /** The requests of its phone. */
  own: z.array(z.string()),
  blurred: z.boolean(),
  address: z.string().nullable(),
  /** The next step of the show, and when its first key was pressed. */
  at: z.number(),
  beganAt: z.number().nullable(),
});
/** A stage, as kept. */
export type KeptStage = z.infer<typeof keptStage>;

const KEY = "stagedoor.stages";
/** Older ones have lost their lease. */
const MOST_KEPT = 4;
/** How long a reloaded page waits for the one before it to end, in milliseconds. */
const PATIENCE_MS = 800;

/** Only loopback and https have locks; without them a tab keeps its own stage. */
const hasLocks = "locks" in navigator;
const storage = hasLocks ? localStorage : sessionStorage;

/** @returns the stages that this browser keeps, newest first. */
export const keptStages = (): readonly KeptStage[] => {
  try {
    return z.array(keptStage).parse(JSON.parse(storage.getItem(KEY) ?? "[]"));
  } catch {
    return [];
  }
};

const keep = (stage: KeptStage): void => {
  const others = keptStages().filter(({ appId }) => appId !== stage.appId);
  storage.setItem(KEY, JSON.stringify([stage, ...others].slice(0, MOST_KEPT)));
};

/** Keeps a stage from now on, as its page changes it. @returns what stops that. */
export const keepOn = (stage: Pick<KeptStage, "appId" | "sourceId" | "source">): (() => void) => {
  const write = (): void => {
    const { own, earlier, blurred, address, at, beganAt } = useStage.getState();
    keep({ ...stage, own: [...earlier, ...own], blurred, address, at, beganAt });
  };
  write();
  return useStage.subscribe(write);
};

/** Takes a stage for this page. @returns what gives it back; null if another page has it. */
export const hold = (appId: string, patienceMs = PATIENCE_MS): Promise<(() => void) | null> =>
  new Promise((resolve) => {
    if (!hasLocks) return resolve(() => undefined);
    const held = (): Promise<void> => new Promise((giveBack) => resolve(giveBack));
    navigator.locks
      .request(`${KEY}.${appId}`, { signal: AbortSignal.timeout(patienceMs) }, held)
      .catch(() => resolve(null));
  });

/** Takes the newest stage of this source that no page has. @returns it, and what gives it back. */
export const takeKept = async (sourceId: string | null): Promise<readonly [KeptStage, () => void] | null> => {
  for (const stage of keptStages().filter((one) => one.sourceId === sourceId)) {
    const release = await hold(stage.appId);
    if (release !== null) return [stage, release];
  }
  return null;
};
