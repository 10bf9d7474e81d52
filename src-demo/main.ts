/**
 * The demo app: a client of the emulated service in a browser. It keeps its session in memory, and stores nothing.
 */
import "./look.css";
import { recipientText } from "#contract/words/phone-words.ts";
import { followStage, tell } from "./bridge.ts";
import { byId, el, field } from "./elements.ts";
import { hands, showSignIn } from "./login.ts";
import { button, form, show, stillShown, wrong } from "./screen.ts";
import { type App, givenIn, readApp } from "./service.ts";
import { failureText, say, speak } from "./words.ts";

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
  show(say("loading"), []);
  tell("loading");
  const reply = await readApp(appId);
  if ("value" in reply) {
    app = reply.value;
    dress(app);
    return showSignIn(app);
  }
  const words = failureText(reply.failure, "phone");
  if (reply.failure.status === 404) {
    askForApp(words, appId);
    return tell("unknownApp");
  }
  show(say("noConnectionTitle"), [wrong(words), button(say("tryAgain"), () => void open(appId))]);
  tell("offline");
};

/** Shown without an app id in the URL. */
const askForApp = (notice = "", before = ""): void => {
  const appId = field("app", say("appId"), {
    type: "text",
    autocapitalize: "none",
    spellcheck: "false",
    required: true,
  });
  appId.input.value = before;
  const submit = (): void => {
    const typed = appId.input.value.trim();
    if (typed === "") appId.fail(say("enterAppId"));
    else void open(typed);
  };
  show(say("chooseAppTitle"), [form(submit, appId.box, el("button", { type: "submit" }, say("open")))]);
  appId.fail(notice);
};

const given = new URLSearchParams(location.search).get("appId") ?? "";
const page = givenIn(document.querySelector('meta[name="given"]')?.getAttribute("content") ?? "", given);
speak(page);
app = page.app;
if (app !== undefined) {
  dress(app);
  showSignIn(app);
} else if (given === "") askForApp();
else void open(given);

// The form stays in sight over the on-screen keyboard. On iOS it covers the page, which does not get smaller.
const { visualViewport: sight } = window;
sight?.addEventListener("resize", () => {
  const covered = Math.max(0, Math.round(window.innerHeight - sight.height * sight.scale));
  document.documentElement.style.setProperty("--keyboard", `${covered}px`);
  const focused = document.activeElement;
  for (const part of [focused?.closest("form"), focused?.closest("input")]) part?.scrollIntoView({ block: "nearest" });
});

let typing = 0;
const pause = (ms: number): Promise<void> => new Promise((resolve) => window.setTimeout(resolve, ms));
/** Types letter by letter, then goes on, unless something else is typed or another screen is shown in the meantime. */
const type = async (text: string, everyMs: number, put: (so: string) => void, then: () => void): Promise<void> => {
  const mine = ++typing;
  const isShown = stillShown();
  const isStale = async (ms: number): Promise<boolean> => {
    if (ms > 0) await pause(ms);
    return mine !== typing || !isShown();
  };
  let typed = "";
  for (const letter of text) {
    typed += letter;
    put(typed);
    if (await isStale(everyMs)) return;
  }
  // Long enough to be read.
  if (!(await isStale(everyMs * 4))) then();
};

followStage({
  user: (username, everyMs) => {
    if (app === undefined) return;
    showSignIn(app);
    tell("typing");
    void type(recipientText(username), everyMs, hands.enterUser, () => tell("filled"));
  },
  code: (code, everyMs) => {
    if (hands.enterCode === null) return;
    tell("checking");
    void type(code, everyMs, hands.enterCode, hands.submit);
  },
  submit: () => hands.submit(),
  resend: () => hands.resend(),
  reset: () => {
    typing++;
    if (app === undefined) void open(given);
    else showSignIn(app);
  },
});
