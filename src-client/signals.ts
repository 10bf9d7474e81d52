/**
 * Aborts and time limits that come for certain: whoever waits holds the timer and the listeners, and lets go at the end.
 * Not with `AbortSignal.any` and `AbortSignal.timeout`: Node 20 holds what a signal depends on weakly, so that garbage
 * collection can take the limit away before its time.
 */

/** One listener at each signal, however many follow it: Node warns of the eleventh. */
const followers = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `act`, a function for this call only, when the signal aborts, or now if it has. @returns a function that stops following it. */
const onAbort = (signal: AbortSignal, act: () => void): (() => void) => {
  if (signal.aborted) {
    act();
    return () => undefined;
  }
  const acts = followers.get(signal) ?? new Set();
  if (!followers.has(signal)) {
    followers.set(signal, acts);
    const actAll = (): void => {
      for (const each of acts) each();
    };
    signal.addEventListener("abort", actAll, { once: true });
  }
  acts.add(act);
  return () => void acts.delete(act);
};

/** @see joinSignals */
export interface JoinedSignal {
  /** Aborts with the reason of the first that did, or with a TimeoutError. */
  readonly signal: AbortSignal;
  /** Stops the timer, and following the signals. Call it when the wait is over. */
  release(): void;
}

/**
 * @param timeoutMs of real time; absent: no limit.
 * @returns a new signal that aborts when any of them does, or when the time is over, until it is released. It is for one
 * fetch, which adds a listener that stays until the next garbage collection.
 */
export const joinSignals = (signals: readonly (AbortSignal | undefined)[], timeoutMs?: number): JoinedSignal => {
  const joined = new AbortController();
  const expire = (): void =>
    joined.abort(new DOMException(`No response within ${(timeoutMs ?? 0) / 1_000} s.`, "TimeoutError"));
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
  const leaves = signals.map((signal) => signal && onAbort(signal, () => joined.abort(signal.reason)));
  return {
    signal: joined.signal,
    release: () => {
      clearTimeout(timer);
      for (const leave of leaves) leave?.();
    },
  };
};

/** @returns the same promise, but rejects with the signal's reason as soon as that aborts. */
export const untilAborted = <T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason));
    void waiting.then(resolve, reject).finally(leave);
  });

/** Waits for some milliseconds, or until one of the signals aborts. */
export const pause = (ms: number, signals: readonly (AbortSignal | undefined)[] = []): Promise<void> =>
  new Promise((resolve) => {
    const { signal, release } = joinSignals(signals, ms);
    onAbort(signal, () => {
      release();
      resolve();
    });
  });

/**
 * Reads a body as text until the signal aborts, then closes the connection. The signal of the `fetch` alone would not
 * do: once there is a response, Node 20 and 22 can lose it to garbage collection.
 */
export const readText = async ({ body }: Response, signal: AbortSignal): Promise<string> => {
  const reader = body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
};
