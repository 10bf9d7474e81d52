import { useEffect, useState } from "react";
import { answers } from "../../api/emulator.ts";

/** Together less than 5 s: a server that does not answer for that long is away. */
const PAUSE_MS = 1_500;
const PATIENCE_MS = 3_000;

/** @returns whether the server does not answer, though its connections may stand: it is stopped, or its machine sleeps. */
export const useSilence = (): boolean => {
  const [isSilent, setSilent] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = new AbortController();
    const ask = async (): Promise<void> => {
      const signal = AbortSignal.any([end.signal, AbortSignal.timeout(PATIENCE_MS)]);
      const isThere = await answers(signal);
      if (end.signal.aborted) return;
      setSilent(!isThere);
      timer = setTimeout(ask, PAUSE_MS);
    };
    void ask();
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, []);
  return isSilent;
};
