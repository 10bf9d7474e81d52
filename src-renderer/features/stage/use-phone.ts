import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { linkPhone, type Order, type PhoneLink } from "./phone-link.ts";
import { useStage } from "./stage-store.ts";

const theme = (): "light" | "dark" =>
  document.documentElement.getAttribute("data-mantine-color-scheme") === "light" ? "light" : "dark";

/** What the phone must know when it first responds. */
const first = (): readonly Order[] => {
  const { blurred, offline } = useStage.getState();
  return [
    { type: "theme", theme: theme() },
    { type: "blur", on: blurred },
    { type: "offline", on: offline },
  ];
};

/**
 * Tracks the phone in a frame.
 * @param isAway whether the server is unreachable: a phone that failed to load meanwhile is reloaded.
 * @returns a function that sends it commands, and how often it was loaded
 */
export const usePhone = (frame: RefObject<HTMLIFrameElement | null>, src: string, isAway: boolean) => {
  const link = useRef<PhoneLink>(null);
  const [loads, setLoads] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another load is another frame
  useLayoutEffect(() => {
    if (frame.current === null) return;
    // The focus comes back to the stage, whose keys then act again.
    const made = linkPhone(frame.current, new URL(src).origin, first, () => {
      frame.current?.blur();
      window.focus();
    });
    link.current = made;
    return made.end;
  }, [frame, src, loads]);
  useEffect(() => {
    if (!isAway) return;
    return () => {
      if (link.current?.isLinked() === false) setLoads((count) => count + 1);
    };
  }, [isAway]);
  const send = useCallback((order: Order): void => link.current?.send(order), []);
  return { send, loads };
};
