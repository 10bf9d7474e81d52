/**
 * Front Row: what happens when something is pressed.
 */
import { type Failure, send } from "./http.ts";
import { keepSession, keptSession } from "./kept-session.ts";
import { myProfile, type ProfileChange } from "./profile.ts";
import { clearCode, fillProfile, onPressed, onSent, show, showBusy, showTrouble } from "./screens.ts";
import { config, createSessionService, type Session, type SessionService, type User } from "./session.ts";
import { type Step, troubleOf } from "./words.ts";

/** The last thing that was tried, for "Try again". */
let again: () => Promise<void> = async () => undefined;

let underWay = false;

/** Does one thing at a time, and remembers it: what is pressed meanwhile is not heard. */
const attempt = (task: () => Promise<void>): void => {
  if (underWay) return;
  again = task;
  const setUnderWay = (on: boolean): void => {
    underWay = on;
    showBusy(on);
  };
  setUnderWay(true);
  void task().finally(() => setUnderWay(false));
};

const fail = (failure: Failure, step: Step): void => {
  if (step === "profile" && failure.kind === "refused" && failure.status === 401) {
    keepSession(undefined);
    show("start");
  }
  showTrouble(troubleOf(failure, step));
};

const openProfile = async ({ token }: Session, notice = "", change?: ProfileChange): Promise<void> => {
  const answer = await myProfile(token, change);
  if (answer.kind !== "profile") return fail(answer, "profile");
  fillProfile(answer.profile);
  show("profile", notice);
};

/** Signed in: a retry from here on is of the profile, the code is used. */
const welcome = async (session: Session, notice: string): Promise<void> => {
  keepSession(session);
  again = () => openProfile(session, notice);
  await again();
};

const start = (service: SessionService): void => {
  let user: User = { phone: "" };

  const ask = async (): Promise<void> => {
    const answer = await service.ask(user);
    if (answer.kind === "signedIn") return await welcome(answer.session, "Your account is ready.");
    if (answer.kind !== "codeSent") return fail(answer, "ask");
    clearCode();
    show("code", `We have sent a code to ${user.phone}.`);
  };
  const askAs = ({ phone = "", name, email }: Readonly<Record<string, string>>): void => {
    user = { phone, ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) };
    attempt(ask);
  };
  onSent("sign-up", askAs);
  onSent("log-in", askAs);
  onPressed("send-again", () => attempt(ask));
  onPressed("start-over", () => attempt(async () => show("start")));
  onSent("enter-code", ({ passcode = "" }) =>
    attempt(async () => {
      const answer = await service.enter(user, passcode);
      if (answer.kind === "signedIn") await welcome(answer.session, "You are logged in.");
      else fail(answer, "enter");
    }),
  );

  const withSession = (task: (session: Session) => Promise<void>): void => {
    const session = keptSession();
    if (session === undefined) show("start");
    else attempt(() => task(session));
  };
  onSent("edit", ({ name = null, email = null, favoriteSeat = null }) =>
    withSession((session) => openProfile(session, "Saved.", { name, email, favoriteSeat })),
  );
  onPressed("refresh", () => withSession((session) => openProfile(session, "This is up to date.")));
  onPressed("log-out", () =>
    attempt(async () => {
      keepSession(undefined);
      show("start", "You are logged out.");
    }),
  );
  onPressed("retry", () => attempt(again));

  // A page that is opened again finds its user still logged in.
  withSession((session) => openProfile(session));
};

const settings = await send("GET", "/config.json");
if (settings.kind === "done") start(createSessionService(config.parse(settings.body)));
else showTrouble(troubleOf(settings, "ask"));
