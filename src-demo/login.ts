/** The screens of a login: user, then code. Each is rendered from its arguments alone. */
import type { PhoneState } from "#contract/stage-bridge.ts";
import { USERNAMES, type UsernameField, usernameField } from "#contract/strategies.ts";
import { tell } from "./bridge.ts";
import { codeField } from "./code-field.ts";
import { el, field } from "./elements.ts";
import { button, everySecond, focusOn, form, redrawnBy, say, show, stillShown, wrong } from "./screen.ts";
import { type App, type Failure, signIn, type User } from "./service.ts";
import { showSession } from "./session.ts";
import { wordsOf } from "./words.ts";

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
  /** Shows the screen again, with what went wrong. */
  readonly again: (failed: Failed) => void;
  /** Called when a code was sent. */
  readonly onSent: (requestId: string | null) => void;
}

const fail = ({ of, frame, onFailed, again }: Attempt, failed: Failed): void => {
  of.fail(wordsOf(failed.failure));
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
  if ("failure" in reply) return fail(screen, reply);
  const { value, requestId } = reply;
  if (value === null) return onSent(requestId);
  const showIn = (): void => {
    showSession(code === undefined ? "Account created" : "Signed in", app, user, value, (notice) => {
      showSignIn(app, notice);
      if (notice === "") say("Signed out.");
    });
    tell("signedIn", requestId);
  };
  showIn();
  redrawnBy(showIn);
};

const showCode = (app: App, user: User, requestId: string | null, failed?: Failed): void => {
  const length = app.passcodeLength;
  const enter = el("button", { type: "submit" }, "Sign in");
  const submit = (): void => {
    const typed = code.input.value;
    code.fail(typed.length === length ? "" : `Enter the ${length} digits of the code.`);
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
    onSent: (at) => {
      sentAt = Date.now();
      code.fail("");
      code.fill("");
      focusOn(code.input);
      say("A new code was sent.");
      tell("code", at, code.frame);
    },
  };
  const again = button("Send again", () => void attempt(again, screen), "plain");
  const sentTo = el("bdi", { class: "private" }, user.username);
  show(
    "Enter the code",
    [
      el("p", { class: "soft" }, `We sent a code with ${length} digits to `, sentTo, "."),
      form(submit, code.box, enter),
      again,
      button("Change details", () => showSignIn(app, "", user), "plain"),
    ],
    code.input,
  );
  everySecond(() => {
    const left = RESEND_SECONDS - Math.floor((Date.now() - sentAt) / 1_000);
    again.disabled = left > 0;
    again.textContent = left > 0 ? `Send again in ${left} s` : "Send again";
  });
  hands.enter = (digits) => {
    code.fail("");
    code.fill(digits);
  };
  hands.submit = submit;
  redrawnBy(() => showCode(app, user, requestId));
  if (failed === undefined) tell("code", requestId, code.frame);
  else fail(screen, failed);
};

/** What is read of a typed username: a number without its punctuation. */
const TYPED: Readonly<Record<UsernameField, (typed: string) => string>> = {
  phone: (typed) => typed.replace(/[\s().-]/g, ""),
  email: (typed) => typed,
};

/** The first screen. @param before the previous input. */
export const showSignIn = (app: App, notice = "", before: User = { username: "", name: "" }, failed?: Failed): void => {
  const kind = usernameField(app);
  const { label, type, example: placeholder } = USERNAMES[kind];
  const props = { type, autocomplete: type, placeholder, class: "private", required: true };
  const username = field("username", label, props);
  const name = field("name", "Name (for a new account, optional)", {
    type: "text",
    class: "private",
    autocomplete: "name",
    dir: "auto",
    maxlength: "255",
  });
  hands.enter = null;
  hands.signIn = (typed, called) => {
    username.input.value = typed;
    name.input.value = called;
  };
  hands.signIn(before.username, before.name);
  const next = el("button", { type: "submit" }, "Continue");
  const screenOf = (user: User): Attempt => ({
    app,
    user,
    of: username,
    again: (refused) => showSignIn(app, "", user, refused),
    onSent: (requestId) => showCode(app, user, requestId),
  });
  hands.submit = () => {
    const user = { username: TYPED[kind](username.input.value.trim()), name: name.input.value.trim() };
    username.fail(user.username === "" ? `Enter your ${label.toLowerCase()}.` : "");
    if (user.username === "") return;
    if (!next.disabled) tell("asking");
    void attempt(next, screenOf(user));
  };
  delete document.documentElement.dataset["done"];
  show("Sign in or sign up", [
    ...(notice === "" ? [] : [wrong(notice)]),
    form(hands.submit, username.box, name.box, next),
  ]);
  redrawnBy(() => showSignIn(app, notice, before));
  if (failed === undefined) tell("idle");
  else fail(screenOf(before), failed);
};
