/**
 * The console's stage embeds this page and controls it (CONTRACT 10). Both sides check the other's window and exact
 * origin. No user input and no token ever leaves the page, only the state of the login.
 */

/** The state of the login. `offline`: a call got no response. */
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

/** Commands from the stage. */
export interface Orders {
  /** Types name and username, with a pause of `everyMs` per letter, and submits. */
  persona(username: string, name: string, everyMs: number): void;
  /** Types a code after `afterMs` milliseconds, with a pause of `everyMs` per digit. */
  code(code: string, afterMs: number, everyMs: number): void;
  /** Simulates a lost network. */
  offline(on: boolean): void;
  /** Returns to the first screen. */
  reset(): void;
}

/** The only accepted origins: the server puts them into the page, as into its policy. */
const ORIGINS = document.querySelector('meta[name="stage-origins"]')?.getAttribute("content")?.split(" ") ?? [];
/** Maximum length of a name or code. */
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
 * Sends the state of the login to the stage, if there is one.
 * @param requestId of the response that led here. @param field the input for a code.
 */
export const tell = (state: PhoneState, requestId: string | null = null, field: Element | null = null): void => {
  last = { state, requestId, field };
  postState();
};

const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, MOST_LETTERS) : "");
const msOf = (value: unknown): number => (typeof value === "number" ? Math.min(SLOWEST_MS, Math.max(0, value)) : 0);

/** Starts to listen to the stage. */
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
