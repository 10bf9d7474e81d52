/** The screens of a login: user, then code. Each is rendered from its arguments alone. */

import type { PhoneState } from "#contract/control/stage-bridge.ts";
import { USERNAMES, type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { phoneValue, recipientText } from "#contract/words/phone-words.ts";
import { tell } from "./bridge.ts";
import { codeField } from "./code-field.ts";
import { el, field } from "./elements.ts";
import { announce, button, everySecond, focusOn, form, redrawnBy, show, stillShown, wrong } from "./screen.ts";
import { type App, type Failure, signIn, signOut, type User } from "./service.ts";
import { showSession } from "./session.ts";
import { failureText, say, spanText, speak, usernameText } from "./words.ts";

/** Seconds until another code can be requested. */
const RESEND_SECONDS = 30;

/** What the stage can do on the current screen, as a user would. */
export const hands: {
  signIn: ((username: string, name: string) => void) | null;
  enter: ((digits: string) => void) | null;
  submit: () => void;
} = { signIn: null, enter: null, submit: () => undefined };

const STATES: Readonly<Record<string, PhoneState>> = {
  unreachable: "offline",
  unknown_app: "unknownApp",
  passcode_mismatch: "wrong",
  passcode_replaced: "wrong",
  passcode_expired: "expired",
  passcode_exhausted: "locked",
};

/** A refused call. */
interface Failed {
  readonly failure: Failure;
  readonly requestId: string | null;
}

interface Attempt {
  readonly app: App;
  readonly user: User;
  /** The field of the screen, which shows what went wrong. */
  readonly of: Pick<ReturnType<typeof field>, "input" | "fail">;
  /** Where a code is typed. */
  readonly frame?: HTMLElement;
  readonly onFailed?: (failure: Failure) => void;
  /** Called once for a refused call, not when the screen is shown again. */
  readonly onRefused?: (failure: Failure) => void;
  /** Shows the screen again, with what went wrong. */
  readonly again: (failed: Failed) => void;
  /** Called when a code was sent. */
  readonly onSent: (requestId: string | null) => void;
}

const fail = ({ app, of, frame, onFailed, again }: Attempt, failed: Failed): void => {
  of.fail(failureText(failed.failure, usernameField(app)));
  onFailed?.(failed.failure);
  focusOn(of.input);
  redrawnBy(() => again(failed));
  tell(STATES[failed.failure.reason] ?? "failed", failed.requestId, frame);
};

/** Makes a call, unless the button's is under way. Its reply is ignored if another screen was shown meanwhile. */
const attempt = async (busy: HTMLButtonElement, screen: Attempt, code?: string): Promise<void> => {
  const { app, user, onSent } = screen;
  if (busy.disabled) return;
  const isShown = stillShown();
  busy.disabled = true;
  const reply = await signIn(app, user, code);
  busy.disabled = false;
  if (!isShown()) return;
  if ("failure" in reply) {
    fail(screen, reply);
    return screen.onRefused?.(reply.failure);
  }
  const { value, requestId } = reply;
  if (value === null) return onSent(requestId);
  const showIn = (): void => {
    speak(app);
    showSession(say(code === undefined ? "signedUpTitle" : "signedInTitle"), user, value, (notice) => {
      showSignIn(app, notice);
      if (notice !== "") return;
      const ended = app.sessionExtensions ? signOut(value.token) : Promise.resolve();
      void ended.then(() => announce(say("signedOut")));
    });
    tell("signedIn", requestId);
  };
  showIn();
  redrawnBy(showIn);
};

const showCode = (app: App, user: User, requestId: string | null, failed?: Failed): void => {
  speak(app);
  const length = app.passcodeLength;
  const enter = el("button", { type: "submit" }, say("signIn"));
  const submit = (): void => {
    const typed = code.input.value;
    code.fail(typed.length === length ? "" : say("enterCode", { digits: length }));
    if (typed.length !== length) return;
    if (!enter.disabled) tell("checking", null, code.frame);
    void attempt(enter, screen, typed);
  };
  const code = codeField(length, submit);
  let sentAt = Date.now();
  const screen: Attempt = {
    app,
    user,
    of: code,
    frame: code.frame,
    again: (refused) => showCode(app, user, requestId, refused),
    // Without a response the code may still be correct.
    onFailed: ({ status }) => status !== 0 && code.fill(""),
    onRefused: ({ status, reason }) => {
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
      tell("code", at, code.frame);
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
  const sentTo = el("bdi", { class: "private" }, usernameText(user.username));
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
  hands.enter = (digits) => {
    code.fail("");
    code.fill(digits);
  };
  hands.submit = submit;
  redrawnBy(() => showCode(app, user, requestId));
  if (failed === undefined) tell("code", requestId, code.frame);
  else fail(screen, failed);
};

/** What is read of a typed username. */
const TYPED: Readonly<Record<UsernameField, (typed: string) => string>> = {
  phone: phoneValue,
  email: (typed) => typed,
};

const ENTER = { phone: "enterPhone", email: "enterEmail" } as const;

/** The first screen. @param before the previous input. */
export const showSignIn = (app: App, notice = "", before: User = { username: "", name: "" }, failed?: Failed): void => {
  speak(app);
  const kind = usernameField(app);
  const { type, example } = USERNAMES[kind];
  const props = { type, autocomplete: type, placeholder: recipientText(example), class: "private", required: true };
  const username = field("username", say(kind), props);
  const name = field("name", say("name"), {
    type: "text",
    class: "private",
    autocomplete: "name",
    dir: "auto",
    maxlength: "255",
  });
  username.input.addEventListener("change", () => {
    username.input.value = recipientText(username.input.value);
  });
  hands.enter = null;
  hands.signIn = (typed, called) => {
    username.input.value = typed;
    name.input.value = called;
  };
  hands.signIn(recipientText(before.username), before.name);
  const next = el("button", { type: "submit" }, say("continue"));
  const screenOf = (user: User): Attempt => ({
    app,
    user,
    of: username,
    again: (refused) => showSignIn(app, "", user, refused),
    onSent: (requestId) => showCode(app, user, requestId),
  });
  hands.submit = () => {
    const user = { username: TYPED[kind](username.input.value.trim()), name: name.input.value.trim() };
    username.fail(user.username === "" ? say(ENTER[kind]) : "");
    if (user.username === "") return;
    if (!next.disabled) tell("asking");
    void attempt(next, screenOf(user));
  };
  delete document.documentElement.dataset["done"];
  show(say("signInTitle"), [
    ...(notice === "" ? [] : [wrong(notice)]),
    form(hands.submit, username.box, name.box, next),
  ]);
  redrawnBy(() => showSignIn(app, notice, before));
  if (failed === undefined) tell("idle");
  else fail(screenOf(before), failed);
};
