/**
 * The demo app: what a mobile client of the emulated service does, in a browser. It holds its own session in memory, and
 * nothing else (CONTRACT 10). Each screen is drawn anew; none keeps anything but what it is given.
 */
import "./look.css";
import { byId, el, field } from "./elements.ts";
import { type App, authenticate, type Failure, readApp, type Session, start, type User } from "./service.ts";
import { spanWords, wordsOf } from "./words.ts";

/** Seconds until a code may be asked for again. */
const RESEND_SECONDS = 30;

const screen = byId("screen");
let ticking: number | undefined;

/** Runs something now and every second, until the next screen. */
const everySecond = (work: () => void): void => {
  work();
  ticking = window.setInterval(work, 1_000);
};

/** Says something to screen readers. */
const say = (text: string): void => {
  byId("said").textContent = text;
};

/** Shows a screen. @param focus what gets the focus; absent: the screen, so that its title is read. */
const show = (title: string, children: readonly (Node | null)[], focus?: HTMLElement): void => {
  window.clearInterval(ticking);
  screen.replaceChildren(el("h1", {}, title), ...children.filter((child) => child !== null));
  document.title = title;
  (focus ?? screen).focus();
};

const paragraph = (text: string, kind = ""): HTMLElement => el("p", { class: kind }, text);

/** Runs a call while the button is off. */
const whileBusy = async (button: HTMLButtonElement, work: () => Promise<void>): Promise<void> => {
  if (button.disabled) return;
  button.disabled = true;
  await work();
  button.disabled = false;
};

/** A form that asks in place of the browser. */
const form = (submit: () => void, ...children: readonly Node[]): HTMLFormElement => {
  const made = el("form", { novalidate: true }, ...children);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  return made;
};

/** What every screen of an app knows. */
interface Context {
  readonly app: App;
  readonly appId: string;
}

const showSession = (context: Context, user: User, session: Session, isNew: boolean): void => {
  const since = Date.now();
  const left = el("dd", {});
  const token = el("code", { id: "token", tabindex: "0", hidden: true }, session.token);
  const reveal = el(
    "button",
    { type: "button", class: "plain", "aria-controls": "token", "aria-expanded": "false" },
    "Show token",
  );
  reveal.addEventListener("click", () => {
    token.hidden = !token.hidden;
    reveal.textContent = token.hidden ? "Show token" : "Hide token";
    reveal.setAttribute("aria-expanded", String(!token.hidden));
  });
  const signOut = el("button", { type: "button" }, "Sign out");
  signOut.addEventListener("click", () => {
    showSignIn(context);
    say("Signed out.");
  });
  const title = isNew ? "Account created" : "Signed in";
  const facts = el(
    "dl",
    {},
    el("dt", {}, user.name ? "Name" : context.app.strategy === "phone" ? "Phone" : "Email"),
    el("dd", {}, user.name || user.username),
    el("dt", {}, "Time left"),
    left,
  );
  show(title, [facts, reveal, token, signOut]);
  everySecond(() => {
    const seconds = session.lifetimeSeconds - (Date.now() - since) / 1_000;
    left.textContent = spanWords(seconds);
    if (seconds > 0) return;
    showSignIn(context, "Your session has expired. Sign in again.");
  });
};

const showCode = (context: Context, user: User): void => {
  const { app, appId } = context;
  const length = app.passcodeLength;
  const code = field("code", "Code", {
    class: "code",
    inputmode: "numeric",
    autocomplete: "one-time-code",
    maxlength: String(length + 4),
    pattern: "[0-9]*",
    required: true,
  });
  const enter = el("button", { type: "submit" }, "Sign in");
  const again = el("button", { type: "button", class: "plain" }, "Send again");
  const fail = (failure: Failure): void => {
    code.fail(wordsOf(failure));
    // What was not heard may be right.
    if (failure.status !== 0) code.input.value = "";
    code.input.focus();
  };
  const submit = (): void =>
    void whileBusy(enter, async () => {
      if (code.input.value.length !== length) return code.fail(`Enter the ${length} digits of the code.`);
      code.fail("");
      const reply = await authenticate(app, appId, user, code.input.value);
      if ("failure" in reply) fail(reply.failure);
      else showSession(context, user, reply.value, false);
    });
  code.input.addEventListener("input", () => {
    const digits = code.input.value.replace(/\D/g, "").slice(0, length);
    if (digits !== code.input.value) code.input.value = digits;
    if (digits.length === length) submit();
  });
  let sentAt = Date.now();
  again.addEventListener(
    "click",
    () =>
      void whileBusy(again, async () => {
        const reply = await start(app, appId, user);
        if ("failure" in reply) return fail(reply.failure);
        if (reply.value !== null) return showSession(context, user, reply.value, true);
        sentAt = Date.now();
        code.fail("");
        code.input.value = "";
        code.input.focus();
        say("A new code was sent.");
      }),
  );
  const back = el("button", { type: "button", class: "plain" }, "Change details");
  back.addEventListener("click", () => showSignIn(context, "", user));
  show(
    "Enter the code",
    [
      paragraph(`We sent a code with ${length} digits to ${user.username}.`, "soft"),
      form(submit, code.box, enter),
      again,
      back,
    ],
    code.input,
  );
  everySecond(() => {
    const left = RESEND_SECONDS - Math.floor((Date.now() - sentAt) / 1_000);
    again.disabled = left > 0;
    again.textContent = left > 0 ? `Send again in ${left} s` : "Send again";
  });
};

const FIELDS = {
  phone: { label: "Phone number", type: "tel", autocomplete: "tel", placeholder: "+12025550100" },
  email: { label: "Email address", type: "email", autocomplete: "email", placeholder: "ada@example.com" },
} as const;

const showSignIn = (context: Context, notice = "", before?: User): void => {
  const { app, appId } = context;
  const { label, ...props } = FIELDS[app.strategy];
  const username = field("username", label, { ...props, required: true });
  const name = field("name", "Name (for a new account, optional)", {
    type: "text",
    autocomplete: "name",
    maxlength: "255",
  });
  username.input.value = before?.username ?? "";
  name.input.value = before?.name ?? "";
  const next = el("button", { type: "submit" }, "Continue");
  const submit = (): void =>
    void whileBusy(next, async () => {
      const typed = username.input.value.trim();
      const user = {
        username: app.strategy === "phone" ? typed.replace(/[\s().-]/g, "") : typed,
        name: name.input.value.trim(),
      };
      if (user.username === "") return username.fail(`Enter your ${label.toLowerCase()}.`);
      username.fail("");
      const reply = await start(app, appId, user);
      if ("failure" in reply) {
        username.fail(wordsOf(reply.failure));
        username.input.focus();
      } else if (reply.value === null) showCode(context, user);
      else showSession(context, user, reply.value, true);
    });
  show("Sign in or sign up", [
    notice === "" ? null : paragraph(notice, "error"),
    form(submit, username.box, name.box, next),
  ]);
};

/** White or black, whichever is easier to read on a color such as #1b6e3c. */
const inkOn = (color: string): string => {
  const [red = 0, green = 0, blue = 0] = (color.match(/[0-9a-f]{2}/gi) ?? []).map((hex) => {
    const part = Number.parseInt(hex, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
};

const dress = ({ name, brand }: App): void => {
  const logo = brand.logo === null ? null : el("img", { src: brand.logo, alt: "" });
  byId("brand").replaceChildren(...(logo === null ? [] : [logo]), brand.name ?? name);
  if (brand.color === null) return;
  const { style } = document.documentElement;
  style.setProperty("--brand", brand.color);
  style.setProperty("--on-brand", inkOn(brand.color));
};

const open = async (appId: string): Promise<void> => {
  show("Loading …", []);
  const reply = await readApp(appId);
  if ("value" in reply) {
    dress(reply.value);
    return showSignIn({ app: reply.value, appId });
  }
  if (reply.failure.status === 404) return askForApp(wordsOf(reply.failure), appId);
  const retry = el("button", { type: "button" }, "Try again");
  retry.addEventListener("click", () => void open(appId));
  show("Not connected", [paragraph(wordsOf(reply.failure), "error"), retry]);
};

/** Without the id of an app in the address. */
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

const given = new URLSearchParams(location.search).get("appId");
if (given === null || given === "") askForApp();
else void open(given);
