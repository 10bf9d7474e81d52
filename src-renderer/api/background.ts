const LOCK = "stagedoor.background";

/**
 * Waits until this tab is the one hidden tab of the browser that may keep its event stream: a browser has six
 * connections to a host, and hidden tabs must not use them up.
 *
 * @param onHeld told when it is
 * @returns how to give it back, or to wait no longer
 */
export const holdBackground = (onHeld: () => void): (() => void) => {
  // Only on a page that the browser holds secure, as this machine's own are.
  if (!("locks" in navigator)) return () => {};
  const waiting = new AbortController();
  let release = (): void => {};
  navigator.locks
    .request(LOCK, { signal: waiting.signal }, () => {
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      onHeld();
      return held;
    })
    .catch(() => {});
  return () => {
    waiting.abort();
    release();
  };
};
