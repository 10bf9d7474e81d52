/**
 * Gives memory back after much was read at once. V8 collects when something is allocated: a server that was given 100,000
 * profiles and is then left alone would hold twice what it needs.
 */
import type { StorePort } from "#http/ports.ts";

/** So many changes at once leave enough behind to be worth a pause of some hundredths of a second. */
const MANY = 5_000;
/** Others who were waiting for the import go first; milliseconds. */
const AFTER_MS = 500;

const collectGarbage = async (): Promise<void> => {
  try {
    const { Session } = await import("node:inspector");
    const session = new Session();
    session.connect();
    await new Promise((resolve) => session.post("HeapProfiler.collectGarbage", resolve));
    session.disconnect();
  } catch {
    // A Node that was built without it: then memory is given back when there is something to do.
  }
};

/** @param isNew whether the data were read from fixtures just now. @returns how to stop. */
export const spareMemory = async (
  store: Pick<StorePort, "world" | "subscribe">,
  isNew: boolean,
): Promise<() => void> => {
  if (isNew && store.world.apps.some(({ profiles }) => profiles.length > MANY)) await collectGarbage();
  let timer: NodeJS.Timeout | undefined;
  const unsubscribe = store.subscribe((changes) => {
    if (changes.length <= MANY) return;
    clearTimeout(timer);
    timer = setTimeout(() => void collectGarbage(), AFTER_MS).unref();
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
};
