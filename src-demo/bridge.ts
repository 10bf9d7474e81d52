/**
 * The stage of the console frames this page and plays on it (CONTRACT 10). Each end checks the other's window and exact
 * origin. Nothing that the user typed and no token ever goes out: only how the login stands.
 */

/** How the login stands. `offline`: a call got no answer. */
export type PhoneState =
  | "loading"
  | "idle"
  | "asking"
  | "code"
  | "checking"
  | "wrong"
  | "expired"
  | "locked"
  | "failed"
  | "offline"
  | "signedIn"
  | "unknownApp";

/** What the stage may have done. */
export interface Orders {
  /** Fills in who signs in, a letter every so many milliseconds, and asks. */
  persona(username: string, name: string, everyMs: number): void;
  /** Types a code after so many milliseconds, a digit every so many. */
  code(code: string, afterMs: number, everyMs: number): void;
  /** No call goes out. */
  offline(on: boolean): void;
  /** Back to the first screen. */
  reset(): void;
}

/** The only origins that are listened to: the server states them in the page, as in its policy. */
const ORIGINS = document.querySelector('meta[name="stage-origins"]')?.getAttribute("content")?.split(" ") ?? [];
/** A name or a code is never longer. */
const MOST_LETTERS = 320;
const SLOWEST_MS = 5_000;

let stageOrigin: string | undefined;
let last: { state: PhoneState; requestId: string | null; field: Element | null } | undefined;

const post = (message: object): void => {
  if (stageOrigin !== undefined) window.parent.postMessage({ stage: 1, ...message }, stageOrigin);
};

const rectOf = (element: Element): number[] => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height];
};

const postState = (): void => {
  if (last === undefined) return;
  const { state, requestId, field } = last;
  post({ type: "state", state, requestId, field: field === null ? null : rectOf(field) });
};

/**
 * Tells the stage, if there is one, how the login stands.
 * @param requestId of the answer that led here. @param field where a code is typed.
 */
export const tell = (state: PhoneState, requestId: string | null = null, field: Element | null = null): void => {
  last = { state, requestId, field };
  postState();
};

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, MOST_LETTERS) : "");
const msOf = (value: unknown): number => (typeof value === "number" ? Math.min(SLOWEST_MS, Math.max(0, value)) : 0);

/** Listens to the stage from now on. */
export const followStage = (orders: Orders): void => {
  if (window.parent === window) return;
  const root = document.documentElement;
  window.addEventListener("message", ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || !ORIGINS.includes(origin)) return;
    if (typeof data !== "object" || data === null) return;
    const message: Readonly<Record<string, unknown>> = { ...data };
    if (message["stage"] !== 1) return;
    if (message["type"] === "hello") {
      stageOrigin = origin;
      root.dataset["stage"] = "";
    }
    if (stageOrigin !== origin) return;
    const on = message["on"] === true;
    const everyMs = msOf(message["everyMs"]);
    switch (message["type"]) {
      case "hello":
        postState();
        break;
      case "theme":
        root.style.colorScheme = message["theme"] === "dark" ? "dark" : "light";
        break;
      case "blur":
        root.toggleAttribute("data-blur", on);
        break;
      case "offline":
        orders.offline(on);
        break;
      case "persona":
        orders.persona(textOf(message["username"]), textOf(message["name"]), everyMs);
        break;
      case "code":
        orders.code(textOf(message["code"]), msOf(message["afterMs"]), everyMs);
        break;
      case "reset":
        orders.reset();
        break;
    }
  });
  window.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") post({ type: "escape" });
  });
};
