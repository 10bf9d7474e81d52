/** The screens of a login: user, then code. Each is rendered from its arguments alone. */

import type { PhoneState } from "#contract/control/stage-bridge.ts";
import { USERNAMES, type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { phoneValue, recipientText } from "#contract/words/phone-words.ts";
import { expectCode, tell } from "./bridge.ts";
import { codeField } from "./code-field.ts";
import { el, field } from "./elements.ts";
import { announce, button, everySecond, focusOn, form, show, stillShown, wrong } from "./screen.ts";
import { type App, type Failure, signIn, signOut, type User } from "./service.ts";
import { showSession } from "./session.ts";
import { failureText, say, spanText, speak, usernameText } from "./words.ts";

/** Seconds until another code can be requested. */
const RESEND_SECONDS = 30;

/** What Present can do on the current screen, as a user would. */
export const hands: {
  enterUser: (typed: string) => void;
  enterCode: ((digits: string) => void) | null;
  submit: () => unknown;
  resend: () => void;
} = { enterUser: () => undefined, enterCode: null, submit: () => undefined, resend: () => undefined };

const STATES: Readonly<Record<string, PhoneState>> = {
  unreachable: "offline",
  unknown_app: "unknownApp",
  passcode_mismatch: "wrong",
  passcode_replaced: "wrong",
  passcode_expired: "expired",
  passcode_exhausted: "locked",
};

interface Attempt {
  readonly app: App;
  readonly user: User;
  /** The field of the screen, which shows what went wrong. */
  readonly of: Pick<ReturnType<typeof field>, "input" | "fail">;
  /** Called for a refused call. */
  readonly onRefused?: (failure: Failure) => void;
  /** Called when a code was sent. */
  readonly onSent: (requestId: string | null) => void;
}

/** Makes a call, unless the button's is under way. Its reply is ignored if another screen was shown in the meantime. */
const attempt = async (busy: HTMLButtonElement, screen: Attempt, code?: string): Promise<void> => {
  const { app, user, of, onRefused, onSent } = screen;
  if (busy.disabled) return;
  const isShown = stillShown();
  busy.disabled = true;
  const reply = await signIn(app, user, code);
  busy.disabled = false;
  if (!isShown()) return;
  if ("failure" in reply) {
    const { failure } = reply;
    of.fail(failureText(failure, usernameField(app)));
    onRefused?.(failure);
    focusOn(of.input);
    return tell(STATES[failure.reason] ?? "failed", reply.requestId);
  }
  const { value, requestId } = reply;
  if (value === null) return onSent(requestId);
  showSession(say(code === undefined ? "signedUpTitle" : "signedInTitle"), user, value, (notice) => {
    showSignIn(app, notice);
    if (notice !== "") return;
    const ended = app.sessionExtensions ? signOut(value.token) : Promise.resolve();
    void ended.then(() => announce(say("signedOut")));
  });
  expectCode(false);
  tell("signedIn", requestId);
};

const showCode = (app: App, user: User, requestId: string | null): void => {
  const length = app.passcodeLength;
  const enter = el("button", { type: "submit" }, say("signIn"));
  const submit = (): unknown => {
    const typed = code.input.value;
    code.fail(typed.length === length ? "" : say("enterCode", { digits: length }));
    if (typed.length !== length) return tell("code");
    if (!enter.disabled) tell("checking");
    return attempt(enter, screen, typed);
  };
  const code = codeField(length, submit);
  let sentAt = Date.now();
  const screen: Attempt = {
    app,
    user,
    of: code,
    onRefused: ({ status, reason }) => {
      // Without a response the code may still be correct.
      if (status !== 0) code.fill("");
      // The response may have been lost: another code must not have to wait.
      if (status === 0 || status >= 500 || reason === "passcode_used") sentAt = 0;
      count();
      if (reason === "passcode_used") void attempt(again, { ...screen, onSent: renewed });
    },
    onSent: (at) => {
      sentAt = Date.now();
      code.fail("");
      code.fill("");
      focusOn(code.input);
      announce(say("sentAgain"));
      tell("code", at);
    },
  };
  /** The code was used by a request whose response was lost, so a new one was requested at once. */
  const renewed = (at: string | null): void => {
    screen.onSent(at);
    code.fail(`${say("codeUsed")} ${say("sentAgain")}`);
  };
  const again = button(say("sendAgain"), () => void attempt(again, screen), "plain");
  const count = (): void => {
    const left = RESEND_SECONDS - Math.floor((Date.now() - sentAt) / 1_000);
    again.disabled = left > 0;
    again.textContent = left > 0 ? say("sendAgainIn", { time: spanText(left) }) : say("sendAgain");
  };
  const sentTo = el("bdi", {}, usernameText(user.username));
  const [before = "", after = ""] = say("codeSent", { digits: length }).split("{to}");
  show(
    say("codeTitle"),
    [
      el("p", { class: "soft" }, before, sentTo, after),
      form(submit, code.box, enter),
      again,
      button(say("change"), () => showSignIn(app, "", user), "plain"),
    ],
    code.input,
  );
  everySecond(count);
  hands.enterCode = (digits) => {
    code.fail("");
    code.fill(digits);
  };
  hands.submit = submit;
  hands.resend = () => {
    sentAt = 0;
    count();
    tell("asking");
    void attempt(again, screen);
  };
  expectCode(true);
  tell("code", requestId);
};

/** What is read of a typed username. */
const TYPED: Readonly<Record<UsernameField, (typed: string) => string>> = {
  phone: phoneValue,
  email: (typed) => typed,
};

const ENTER = { phone: "enterPhone", email: "enterEmail" } as const;

/** The first screen. @param before the previous input. */
export const showSignIn = (app: App, notice = "", before: User = { username: "", name: "" }): void => {
  speak(app);
  const kind = usernameField(app);
  const { type, example } = USERNAMES[kind];
  const props = { type, autocomplete: type, placeholder: recipientText(example), required: true };
  const username = field("username", say(kind), props);
  const name = field("name", say("name"), {
    type: "text",
    autocomplete: "name",
    dir: "auto",
    maxlength: "255",
  });
  username.input.addEventListener("change", () => {
    username.input.value = recipientText(username.input.value);
  });
  const tellFilled = (): void => tell(username.input.value === "" ? "idle" : "filled");
  username.input.addEventListener("input", tellFilled);
  hands.enterCode = null;
  hands.enterUser = (typed) => {
    username.input.value = typed;
  };
  hands.enterUser(recipientText(before.username));
  name.input.value = before.name;
  const next = el("button", { type: "submit" }, say("continue"));
  hands.submit = () => {
    const user = { username: TYPED[kind](username.input.value.trim()), name: name.input.value.trim() };
    username.fail(user.username === "" ? say(ENTER[kind]) : "");
    if (user.username === "") return;
    if (!next.disabled) tell("asking");
    void attempt(next, { app, user, of: username, onSent: (requestId) => showCode(app, user, requestId) });
  };
  delete document.documentElement.dataset["done"];
  show(say("signInTitle"), [
    ...(notice === "" ? [] : [wrong(notice)]),
    form(hands.submit, username.box, name.box, next),
  ]);
  expectCode(false);
  tellFilled();
};
