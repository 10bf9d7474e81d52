/**
 * The console's stage embeds this page and controls it. Both sides check the other's window and exact
 * origin. No user input and no token ever leaves the page, only the state of the login.
 */
import type { PhoneState } from "#contract/control/stage-bridge.ts";

type Message = Readonly<Record<string, unknown>>;

/** What the stage can order. */
export interface Orders {
  /** Types a username, with a pause of `everyMs` per letter, and submits it with a name. `locale`: the user's language. */
  persona(username: string, name: string, locale: string | null, everyMs: number): void;
  /** Types a code after `afterMs` milliseconds, with a pause of `everyMs` per digit. */
  code(code: string, afterMs: number, everyMs: number): void;
  /** Simulates a lost network. */
  offline(on: boolean): void;
  /** Returns to the first screen. */
  reset(): void;
  /** Keeps the view under an id. */
  keep(id: unknown): void;
  /** Returns to a kept view. */
  back(id: unknown): void;
}

/** The only accepted origins: the server puts them into the page, as into its policy. */
const ORIGINS = document.querySelector('meta[name="stage-origins"]')?.getAttribute("content")?.split(" ") ?? [];
/** Maximum length of a name or code. */
const MOST_LETTERS = 320;
const SLOWEST_MS = 5_000;

const root = document.documentElement;
let stageOrigin: string | undefined;
let last: readonly [state: PhoneState, requestId: string | null, field: Element | null] | undefined;

const post = (message: object): void => {
  if (stageOrigin !== undefined) window.parent.postMessage({ stage: 1, ...message }, stageOrigin);
};

const postState = (): void => {
  if (last === undefined) return;
  const [state, requestId, element] = last;
  const box = element?.getBoundingClientRect();
  post({ type: "state", state, requestId, field: box ? [box.x, box.y, box.width, box.height] : null });
};

/**
 * Sends the state of the login to the stage, if there is one.
 * @param requestId of the response that led here. @param field the input for a code.
 */
export const tell = (state: PhoneState, requestId: string | null = null, field: Element | null = null): void => {
  last = [state, requestId, field];
  postState();
};

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, MOST_LETTERS) : "");
const msOf = (value: unknown): number => (typeof value === "number" ? Math.min(SLOWEST_MS, Math.max(0, value)) : 0);

/** Starts to listen to the stage. */
export const followStage = (orders: Orders): void => {
  if (window.parent === window) return;
  const acts = new Map<unknown, (message: Message) => unknown>([
    ["hello", postState],
    ["theme", ({ theme }) => root.setAttribute("data-theme", theme === "dark" ? "dark" : "light")],
    ["blur", ({ on }) => root.toggleAttribute("data-blur", on === true)],
    ["offline", ({ on }) => orders.offline(on === true)],
    [
      "persona",
      ({ username, name, locale, everyMs }) =>
        orders.persona(textOf(username), textOf(name), textOf(locale) || null, msOf(everyMs)),
    ],
    ["code", ({ code, afterMs, everyMs }) => orders.code(textOf(code), msOf(afterMs), msOf(everyMs))],
    ["reset", orders.reset],
    ["keep", ({ id }) => orders.keep(id)],
    ["back", ({ id }) => orders.back(id)],
  ]);
  window.addEventListener("message", ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !ORIGINS.includes(origin)) return;
    if (typeof data !== "object" || data === null) return;
    const message: Message = { ...data };
    if (message["stage"] !== 1) return;
    if (message["type"] === "hello") {
      stageOrigin = origin;
      root.dataset["stage"] = "";
    }
    if (stageOrigin === origin) acts.get(message["type"])?.(message);
  });
  window.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") post({ type: "escape" });
  });
};
