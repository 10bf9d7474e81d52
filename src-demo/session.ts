/** The screen of a signed-in user. */
import { USERNAMES, usernameField } from "#contract/strategies.ts";
import { el } from "./elements.ts";
import { button, everySecond, show } from "./screen.ts";
import type { App, Session, User } from "./service.ts";
import { spanWords } from "./words.ts";

/**
 * Shows a session until it expires or the user signs out; its token on demand.
 * @param title says whether the user has just signed up. @param leave returns to the first screen, with a notice.
 */
export const showSession = (
  title: string,
  app: App,
  { name, username }: User,
  session: Session,
  leave: (notice: string) => void,
): void => {
  const since = Date.now();
  const left = el("dd");
  const token = el("code", { id: "token", class: "private", tabindex: "0" }, session.token);
  const reveal = button("", () => reveals(token.hidden === true), "plain");
  reveal.setAttribute("aria-controls", "token");
  const reveals = (isShown: boolean): void => {
    token.hidden = !isShown;
    reveal.textContent = isShown ? "Hide token" : "Show token";
    reveal.setAttribute("aria-expanded", String(isShown));
  };
  reveals(false);
  const facts = el(
    "dl",
    {},
    el("dt", {}, name ? "Name" : USERNAMES[usernameField(app)].word),
    el("dd", { class: "private" }, el("bdi", {}, name || username)),
    el("dt", {}, "Time left"),
    left,
  );
  show(title, [facts, reveal, token, button("Sign out", () => leave(""))]);
  document.documentElement.dataset["done"] = "";
  everySecond(() => {
    const seconds = session.lifetimeSeconds - (Date.now() - since) / 1_000;
    left.textContent = spanWords(seconds);
    if (seconds <= 0) leave("Your session has expired. Sign in again.");
  });
};
