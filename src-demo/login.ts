/** The screens of a login: user, then code. Each is rendered from its arguments alone. */
import { type PhoneState, tell } from "./bridge.ts";
import { codeField } from "./code-field.ts";
import { el, field } from "./elements.ts";
import { button, everySecond, focusOn, form, paragraph, say, show, stillShown, whileBusy } from "./screen.ts";
import { type App, authenticate, type Failure, type Reply, type Session, start, type User } from "./service.ts";
import { showSession } from "./session.ts";
import { wordsOf } from "./words.ts";

/** Seconds until another code can be requested. */
const RESEND_SECONDS = 30;

/** Shared by all screens of an app. */
export interface Context {
  readonly app: App;
  readonly appId: string;
}

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
const stateOf = ({ reason }: Failure): PhoneState => STATES[reason] ?? "failed";

/** Makes a call. Its reply is ignored if another screen was shown meanwhile. */
const waitFor = async <T>(
  busy: HTMLButtonElement,
  call: () => Promise<Reply<T>>,
  then: (reply: Reply<T>) => void,
): Promise<void> => {
  const isShown = stillShown();
  await whileBusy(busy, async () => {
    const reply = await call();
    if (isShown()) then(reply);
  });
};

const enterSession = (
  context: Context,
  user: User,
  reply: { readonly value: Session } & Reply<Session>,
  isNew: boolean,
) =>
  showSession({
    app: context.app,
    user,
    session: reply.value,
    isNew,
    requestId: reply.requestId,
    leave: (notice) => {
      showSignIn(context, notice);
      if (notice === "") say("Signed out.");
    },
  });

const showCode = (context: Context, user: User, requestId: string | null): void => {
  const { app, appId } = context;
  const length = app.passcodeLength;
  const enter = el("button", { type: "submit" }, "Sign in");
  const fail = ({ failure, requestId: at }: Extract<Reply<unknown>, { failure: Failure }>): void => {
    code.fail(wordsOf(failure));
    // Without a response the code may still be correct.
    if (failure.status !== 0) code.fill("");
    focusOn(code.input);
    tell(stateOf(failure), at, code.frame);
  };
  const submit = (): void => {
    const typed = code.input.value;
    code.fail(typed.length === length ? "" : `Enter the ${length} digits of the code.`);
    if (typed.length !== length) return;
    if (!enter.disabled) tell("checking", null, code.frame);
    void waitFor(
      enter,
      () => authenticate(app, appId, user, typed),
      (reply) => ("failure" in reply ? fail(reply) : enterSession(context, user, reply, false)),
    );
  };
  const code = codeField(length, submit);
  let sentAt = Date.now();
  const again = button(
    "Send again",
    () =>
      void waitFor(
        again,
        () => start(app, appId, user),
        (reply) => {
          if ("failure" in reply) return fail(reply);
          if (reply.value !== null) return enterSession(context, user, { ...reply, value: reply.value }, true);
          sentAt = Date.now();
          code.fail("");
          code.fill("");
          focusOn(code.input);
          say("A new code was sent.");
          tell("code", reply.requestId, code.frame);
        },
      ),
    "plain",
  );
  const sentTo = el("p", { class: "soft" }, `We sent a code with ${length} digits to `);
  sentTo.append(el("bdi", { class: "private" }, user.username), ".");
  show(
    "Enter the code",
    [
      sentTo,
      form(submit, code.box, enter),
      again,
      button("Change details", () => showSignIn(context, "", user), "plain"),
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
  tell("code", requestId, code.frame);
};

const FIELDS = {
  phone: { label: "Phone number", type: "tel", autocomplete: "tel", placeholder: "+12025550100" },
  email: { label: "Email address", type: "email", autocomplete: "email", placeholder: "ada@example.com" },
} as const;

/** The first screen. @param before the previous input. */
export const showSignIn = (context: Context, notice = "", before?: User): void => {
  const { app, appId } = context;
  const { label, ...props } = FIELDS[app.strategy];
  const username = field("username", label, { ...props, class: "private", required: true });
  const name = field("name", "Name (for a new account, optional)", {
    type: "text",
    class: "private",
    autocomplete: "name",
    dir: "auto",
    maxlength: "255",
  });
  username.input.value = before?.username ?? "";
  name.input.value = before?.name ?? "";
  const next = el("button", { type: "submit" }, "Continue");
  const submit = (): void => {
    const typed = username.input.value.trim();
    const user = {
      username: app.strategy === "phone" ? typed.replace(/[\s().-]/g, "") : typed,
      name: name.input.value.trim(),
    };
    username.fail(user.username === "" ? `Enter your ${label.toLowerCase()}.` : "");
    if (user.username === "") return;
    if (!next.disabled) tell("asking");
    void waitFor(
      next,
      () => start(app, appId, user),
      (reply) => {
        if ("failure" in reply) {
          username.fail(wordsOf(reply.failure));
          focusOn(username.input);
          tell(stateOf(reply.failure), reply.requestId);
        } else if (reply.value === null) showCode(context, user, reply.requestId);
        else enterSession(context, user, { ...reply, value: reply.value }, true);
      },
    );
  };
  delete document.documentElement.dataset["done"];
  show("Sign in or sign up", [
    notice === "" ? null : paragraph(notice, "error"),
    form(submit, username.box, name.box, next),
  ]);
  hands.enter = null;
  hands.signIn = (typed, called) => {
    username.input.value = typed;
    name.input.value = called;
  };
  hands.submit = submit;
  tell("idle");
};
