/** The screen of a signed-in user. */
import { tell } from "./bridge.ts";
import { el } from "./elements.ts";
import { button, everySecond, show } from "./screen.ts";
import type { App, Session, User } from "./service.ts";
import { spanWords } from "./words.ts";

interface SignedIn {
  readonly app: App;
  readonly user: User;
  readonly session: Session;
  /** Whether the user has just signed up. */
  readonly isNew: boolean;
  readonly requestId: string | null;
  /** Returns to the first screen. */
  readonly leave: (notice: string) => void;
}

/** Shows a session until it expires or the user signs out; its token on demand. */
export const showSession = ({ app, user, session, isNew, requestId, leave }: SignedIn): void => {
  const since = Date.now();
  const left = el("dd", {});
  const token = el("code", { id: "token", class: "private", tabindex: "0", hidden: true }, session.token);
  const reveal = button(
    "Show token",
    () => {
      token.hidden = !token.hidden;
      reveal.textContent = token.hidden ? "Show token" : "Hide token";
      reveal.setAttribute("aria-expanded", String(!token.hidden));
    },
    "plain",
  );
  reveal.setAttribute("aria-controls", "token");
  reveal.setAttribute("aria-expanded", "false");
  const facts = el(
    "dl",
    {},
    el("dt", {}, user.name ? "Name" : app.strategy === "phone" ? "Phone" : "Email"),
    el("dd", { class: "private" }, el("bdi", {}, user.name || user.username)),
    el("dt", {}, "Time left"),
    left,
  );
  const signOut = button("Sign out", () => leave(""));
  show(isNew ? "Account created" : "Signed in", [facts, reveal, token, signOut]);
  document.documentElement.dataset["done"] = "";
  tell("signedIn", requestId);
  everySecond(() => {
    const seconds = session.lifetimeSeconds - (Date.now() - since) / 1_000;
    left.textContent = spanWords(seconds);
    if (seconds <= 0) leave("Your session has expired. Sign in again.");
  });
};
