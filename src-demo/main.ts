/**
 * The demo app: a client of the emulated service in a browser. It keeps its session in memory, and stores nothing
 * (CONTRACT 10).
 */
import "./look.css";
import { followStage, tell } from "./bridge.ts";
import { byId, el, field } from "./elements.ts";
import { hands, showSignIn } from "./login.ts";
import { button, form, keepView, restoreView, show, stillShown, wrong } from "./screen.ts";
import { type App, goOffline, readApp } from "./service.ts";
import { wordsOf } from "./words.ts";

/** @returns white or black, whichever has more contrast on a color such as #1b6e3c. */
const inkOn = (color: string): string => {
  const [red = 0, green = 0, blue = 0] = (color.match(/[0-9a-f]{2}/gi) ?? []).map((hex) => {
    const part = Number.parseInt(hex, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
};

const dress = ({ name, brand }: App): void => {
  const shown = brand.name ?? name;
  const mark =
    brand.logo === null
      ? el("span", { class: "initial", "aria-hidden": "true" }, [...shown][0]?.toUpperCase() ?? "")
      : el("img", { src: brand.logo, alt: "" });
  byId("brand").replaceChildren(mark, el("bdi", {}, shown));
  if (brand.color === null) return;
  const { style } = document.documentElement;
  style.setProperty("--brand", brand.color);
  style.setProperty("--on-brand", inkOn(brand.color));
};

let app: App | undefined;

const open = async (appId: string): Promise<void> => {
  show("Loading …", []);
  tell("loading");
  const reply = await readApp(appId);
  if ("value" in reply) {
    app = reply.value;
    dress(app);
    return showSignIn(app);
  }
  const words = wordsOf(reply.failure);
  if (reply.failure.status === 404) {
    askForApp(words, appId);
    return tell("unknownApp");
  }
  show("Not connected", [wrong(words), button("Try again", () => void open(appId))]);
  tell("offline");
};

/** Shown without an app id in the URL. */
const askForApp = (notice = "", before = ""): void => {
  const appId = field("app", "App id", { type: "text", autocapitalize: "none", spellcheck: "false", required: true });
  appId.input.value = before;
  const submit = (): void => {
    const typed = appId.input.value.trim();
    if (typed === "") appId.fail("Enter the id of an app, such as demo-app.");
    else void open(typed);
  };
  show("Choose an app", [form(submit, appId.box, el("button", { type: "submit" }, "Open"))]);
  appId.fail(notice);
};

const given = new URLSearchParams(location.search).get("appId") ?? "";
if (given === "") askForApp();
else void open(given);

let typing = 0;
const pause = (ms: number): Promise<void> => new Promise((resolve) => window.setTimeout(resolve, ms));
/** Types letter by letter, then submits, unless something else is typed or another screen is shown meanwhile. */
const type = async (text: string, everyMs: number, put: (so: string) => void, afterMs = 0): Promise<void> => {
  const mine = ++typing;
  const isShown = stillShown();
  const isStale = async (ms: number): Promise<boolean> => {
    if (ms > 0) await pause(ms);
    return mine !== typing || !isShown();
  };
  if (await isStale(afterMs)) return;
  let typed = "";
  for (const letter of text) {
    typed += letter;
    put(typed);
    if (await isStale(everyMs)) return;
  }
  // Long enough to be read.
  if (!(await isStale(everyMs * 4))) hands.submit();
};

followStage({
  persona: (username, name, everyMs) => {
    if (app === undefined) return;
    showSignIn(app);
    void type(username, everyMs, (so) => hands.signIn?.(so, name));
  },
  code: (code, afterMs, everyMs) => {
    if (hands.enter !== null) void type(code, everyMs, hands.enter, afterMs);
  },
  offline: goOffline,
  reset: () => {
    typing++;
    goOffline(false);
    if (app === undefined) void open(given);
    else showSignIn(app);
  },
  keep: keepView,
  back: (id) => {
    typing++;
    restoreView(id);
  },
});
