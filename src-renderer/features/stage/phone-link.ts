/**
 * The console's end of the bridge to the demo app in its frame (CONTRACT 10): messages are sent to auth's exact origin,
 * and accepted only from that frame and origin.
 */
import { type Box, PHONE_STATES, type PhoneState, useStage } from "./stage-store.ts";

/** Commands for the phone; times in milliseconds. */
export type Order =
  | { readonly type: "hello" | "reset" }
  | { readonly type: "theme"; readonly theme: "light" | "dark" }
  | { readonly type: "blur" | "offline"; readonly on: boolean }
  | { readonly type: "persona"; readonly username: string; readonly name: string; readonly everyMs: number }
  | { readonly type: "code"; readonly code: string; readonly afterMs: number; readonly everyMs: number };

/** A phone in a frame. */
export interface PhoneLink {
  /** Sends a command, once the phone is linked. */
  send(order: Order): void;
  /** Whether the phone has responded. */
  isLinked(): boolean;
  /** Stops listening. */
  end(): void;
}

/** Interval of hello messages until the phone responds: its page may still be loading. */
const HELLO_MS = 200;

const isState = (value: unknown): value is PhoneState => PHONE_STATES.some((known) => known === value);
const boxOf = (value: unknown): Box | null => {
  if (!Array.isArray(value) || value.length !== 4) return null;
  const [x, y, width, height] = value.map(Number);
  return x === undefined || y === undefined || width === undefined || height === undefined
    ? null
    : [x, y, width, height];
};

/**
 * Links the stage with its phone. @param origin of auth. @param first sent when the phone first responds.
 * @param onEscape called when Esc is pressed on the phone.
 */
export const linkPhone = (
  frame: HTMLIFrameElement,
  origin: string,
  first: () => readonly Order[],
  onEscape: () => void,
): PhoneLink => {
  let isLinked = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  const send = (order: Order): void => frame.contentWindow?.postMessage({ stage: 1, ...order }, origin);
  const hello = (): void => (isLinked ? clearInterval(timer) : send({ type: "hello" }));
  const hear = (event: MessageEvent<unknown>): void => {
    if (event.source !== frame.contentWindow || event.origin !== origin) return;
    if (typeof event.data !== "object" || event.data === null) return;
    const said: Readonly<Record<string, unknown>> = { ...event.data };
    if (said["stage"] !== 1) return;
    if (said["type"] === "escape") onEscape();
    const { state, requestId, field } = said;
    if (said["type"] !== "state" || !isState(state)) return;
    if (!isLinked) {
      isLinked = true;
      for (const order of first()) send(order);
    }
    useStage.setState(({ own }) => ({
      phone: state,
      field: boxOf(field),
      own: typeof requestId === "string" && !own.includes(requestId) ? [...own, requestId] : own,
    }));
  };
  // Until its page has loaded, the frame has another origin. A reloaded page must be linked again.
  const onLoad = (): void => {
    isLinked = false;
    clearInterval(timer);
    timer = setInterval(hello, HELLO_MS);
    hello();
  };
  frame.addEventListener("load", onLoad);
  window.addEventListener("message", hear);
  return {
    send: (order) => (isLinked ? send(order) : undefined),
    isLinked: () => isLinked,
    end: () => {
      clearInterval(timer);
      frame.removeEventListener("load", onLoad);
      window.removeEventListener("message", hear);
    },
  };
};
