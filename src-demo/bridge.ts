/**
 * Present, the console's page at `/stage`, embeds this page and controls it. Both sides check the other's window and
 * exact origin. No user input and no token ever leaves the page, only the state of the login, and keys of Present.
 */

import { presentKeyOf } from "#contract/control/present-keys.ts";
import type { PhoneState } from "#contract/control/stage-bridge.ts";

type Message = Readonly<Record<string, unknown>>;

/** What Present can order. */
export interface Orders {
  /** Types a username into the first screen, with a pause of `everyMs` per letter. */
  user(username: string, everyMs: number): void;
  /** Types a code with a pause of `everyMs` per digit, and submits it. */
  code(code: string, everyMs: number): void;
  /** Presses the main button. */
  submit(): void;
  /** Requests another code. */
  resend(): void;
  /** Returns to the first screen. */
  reset(): void;
}

/** The only accepted origins: the server puts them into the page, as into its policy. */
const ORIGINS = document.querySelector('meta[name="stage-origins"]')?.getAttribute("content")?.split(" ") ?? [];
/** Maximum length of a name or code. */
const MOST_LETTERS = 320;
const SLOWEST_MS = 5_000;

const root = document.documentElement;
let stageOrigin: string | undefined;
let last: readonly [state: PhoneState, requestId: string | null] | undefined;
let asksCode = false;

const post = (message: object): void => {
  if (stageOrigin !== undefined) window.parent.postMessage({ stage: 1, ...message }, stageOrigin);
};

const postState = (): void => {
  if (last !== undefined) post({ type: "state", state: last[0], asksCode, requestId: last[1] });
};

/** Notes whether the screen that is shown from now on expects a code. */
export const expectCode = (isExpected: boolean): void => {
  asksCode = isExpected;
};

/** Sends the state of the login to Present, if the page is in it. @param requestId of the response that led here. */
export const tell = (state: PhoneState, requestId: string | null = null): void => {
  last = [state, requestId];
  postState();
};

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, MOST_LETTERS) : "");
const msOf = (value: unknown): number => (typeof value === "number" ? Math.min(SLOWEST_MS, Math.max(0, value)) : 0);

/** Keys of Present act here too, except in a field, which Escape leaves; Space presses the focused button. */
const passOn = (event: KeyboardEvent): void => {
  const key = presentKeyOf(event);
  const { target } = event;
  const isIn = (selector: string): boolean => target instanceof Element && target.matches(selector);
  if (key === undefined || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (key !== "Escape" && (isIn("input") || (key === "Space" && isIn("button")))) return;
  event.preventDefault();
  if (!event.repeat) post({ type: "key", key });
};

/** Starts to listen to Present. */
export const followStage = (orders: Orders): void => {
  if (window.parent === window) return;
  const acts = new Map<unknown, (message: Message) => unknown>([
    ["hello", postState],
    ["theme", ({ theme }) => root.setAttribute("data-theme", theme === "dark" ? "dark" : "light")],
    ["user", ({ username, everyMs }) => orders.user(textOf(username), msOf(everyMs))],
    ["code", ({ code, everyMs }) => orders.code(textOf(code), msOf(everyMs))],
    ["submit", orders.submit],
    ["resend", orders.resend],
    ["reset", orders.reset],
  ]);
  window.addEventListener("message", ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !ORIGINS.includes(origin)) return;
    if (typeof data !== "object" || data === null) return;
    const message: Message = { ...data };
    if (message["stage"] !== 1) return;
    if (message["type"] === "hello") {
      if (stageOrigin === undefined) window.addEventListener("keydown", passOn);
      stageOrigin = origin;
      root.dataset["stage"] = "";
    }
    if (stageOrigin === origin) acts.get(message["type"])?.(message);
  });
};
