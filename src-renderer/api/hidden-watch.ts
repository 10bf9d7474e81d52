import { routes } from "#contract/routes.ts";
import { ask } from "./client.ts";
import type { Passcode } from "./records.ts";

const EVERY_MS = 10_000;
const ROWS = "20";

/**
 * Looks for new passcodes while the tab is hidden and has given its event stream back: now and then, and once more when
 * it is shown again.
 *
 * @param onNew told of each passcode that came since the tab was hidden; it may be told of one twice
 * @returns how to end it
 */
export const watchWhileHidden = (onNew: (passcode: Passcode) => void): (() => void) => {
  let timer: ReturnType<typeof setInterval> | undefined;
  let last: number | undefined;
  const look = async (): Promise<void> => {
    const { items } = await ask(routes.listPasscodes, { query: { limit: ROWS } });
    const since = last;
    if (since !== undefined) for (const passcode of items) if (passcode.seq > since) onNew(passcode);
    last = items[0]?.seq ?? 0;
  };
  // A server that is away is told of elsewhere.
  const lookQuietly = (): void => void look().catch(() => {});
  const follow = (): void => {
    clearInterval(timer);
    if (document.hidden) {
      last = undefined;
      timer = setInterval(lookQuietly, EVERY_MS);
    }
    lookQuietly();
  };
  document.addEventListener("visibilitychange", follow);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", follow);
  };
};
