/**
 * Present's end of the bridge to the demo app in its frame: messages are sent to auth's exact origin, and accepted only
 * from that frame and origin.
 */
import { useComputedColorScheme } from "@mantine/core";
import { useElementSize, useInterval, useWindowEvent } from "@mantine/hooks";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { PresentKey } from "#contract/control/present-keys.ts";
import { type Order, phoneMessage } from "#contract/control/stage-bridge.ts";
import { usePresent } from "./acts.ts";
import classes from "./present.module.css";

/** Interval of hello messages until the phone responds: its page may still be loading. */
const HELLO_MS = 200;

interface PhoneLink {
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly src: string;
  /** Whether the server is unreachable: a phone that failed to load in the meantime is loaded again. */
  readonly isAway: boolean;
  /** A key was pressed on the phone, outside its fields. */
  readonly onKey: (key: PresentKey) => void;
}

/** @returns a function that sends orders to a phone that has responded, how often it was loaded, the frame's `onLoad` */
export const usePhone = ({ frame, src, isAway, onKey }: PhoneLink) => {
  const link = useRef<"loading" | "loaded" | "linked">("loading");
  const [loads, setLoads] = useState(0);
  const theme = useComputedColorScheme("dark");
  const { origin } = new URL(src);
  const send = useCallback(
    (order: Order): void => {
      if (link.current === "linked" || order.type === "hello")
        frame.current?.contentWindow?.postMessage({ stage: 1, ...order }, origin);
    },
    [frame, origin],
  );
  useEffect(() => send({ type: "theme", theme }), [send, theme]);
  const hello = (): void => {
    if (link.current === "loaded") send({ type: "hello" });
  };
  useInterval(hello, HELLO_MS, { autoInvoke: true });
  // Until its page has loaded, the frame has another origin. A reloaded page must be linked again.
  const onLoad = (): void => {
    link.current = "loaded";
    hello();
  };
  useWindowEvent("message", (event: MessageEvent<unknown>) => {
    const phonePage = frame.current?.contentWindow;
    if (!phonePage || event.source !== phonePage || event.origin !== origin) return;
    const said = phoneMessage.safeParse(event.data).data;
    if (said?.type === "key") onKey(said.key);
    if (said?.type !== "state") return;
    if (link.current !== "linked") {
      link.current = "linked";
      send({ type: "theme", theme });
    }
    const { state: phone, asksCode, requestId } = said;
    usePresent.setState(({ own, asked }) => ({
      phone,
      asksCode,
      asked: phone === "code" && requestId !== null ? requestId : asked,
      own: requestId === null || own.includes(requestId) ? own : [...own, requestId],
    }));
  });
  useEffect(() => {
    if (!isAway) return;
    return () => {
      if (link.current === "linked") return;
      link.current = "loading";
      setLoads((count) => count + 1);
    };
  }, [isAway]);
  return { send, loads, onLoad };
};

/** The unscaled height of the phone in pixels. */
const HEIGHT = 760;

interface PhoneProps {
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly onLoad: () => void;
  readonly src: string;
}

/** A generic phone with the demo app on its screen. */
export const Phone = ({ frame, onLoad, src }: PhoneProps) => {
  const { ref, height } = useElementSize();
  return (
    <div className={classes["room"]} ref={ref}>
      <div className={classes["phone"]} style={{ transform: `scale(${height / HEIGHT})` }}>
        <iframe
          ref={frame}
          src={src}
          onLoad={onLoad}
          title="Phone"
          sandbox="allow-scripts allow-same-origin allow-forms"
          referrerPolicy="no-referrer"
        />
      </div>
    </div>
  );
};
