import type { Passcode } from "#client/index.ts";
import { emulator } from "./emulator.ts";

const EVERY_MS = 10_000;
const ROWS = 20;

/**
 * Looks for new passcodes while the tab is hidden and has given its event stream back: now and then, and once more when
 * it is shown again.
 *
 * @param onNew hears of the passcodes that came since the tab was hidden; of one perhaps twice
 * @returns how to end it
 */
export const watchWhileHidden = (onNew: (passcodes: readonly Passcode[]) => void): (() => void) => {
  let timer: ReturnType<typeof setInterval> | undefined;
  let last: number | undefined;
  const look = async (): Promise<void> => {
    const { items } = await emulator.passcodes.list({ limit: ROWS });
    const since = last;
    if (since !== undefined) onNew(items.filter(({ seq }) => seq > since));
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
