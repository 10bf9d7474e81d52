/** The screen of a signed-in user. */
import { el } from "./elements.ts";
import { button, everySecond, show } from "./screen.ts";
import type { Session, User } from "./service.ts";
import { say, spanText, usernameText } from "./words.ts";

/**
 * Shows a session until it expires or the user signs out; its token on demand.
 * @param title says whether the user has just signed up. @param leave returns to the first screen, with a notice.
 */
export const showSession = (
  title: string,
  { name, username }: User,
  session: Session,
  leave: (notice: string) => void,
): void => {
  const since = Date.now();
  const left = el("span");
  const token = el("code", { id: "token", tabindex: "0" }, session.token);
  const reveal = button("", () => reveals(token.hidden === true), "plain");
  reveal.setAttribute("aria-controls", "token");
  const reveals = (isShown: boolean): void => {
    token.hidden = !isShown;
    reveal.textContent = isShown ? say("hideToken") : say("showToken");
    reveal.setAttribute("aria-expanded", String(isShown));
  };
  reveals(false);
  const shown = el("bdi", {}, usernameText(username));
  show(title, [
    ...(name === "" ? [] : [el("p", { class: "who" }, el("bdi", {}, name))]),
    el("p", { class: name === "" ? "who" : "soft" }, shown),
    el("p", { class: "left soft" }, el("span", {}, say("timeLeft")), left),
    button(say("signOut"), () => leave("")),
    reveal,
    token,
  ]);
  document.documentElement.dataset["done"] = "";
  everySecond(() => {
    const seconds = session.lifetimeSeconds - (Date.now() - since) / 1_000;
    const text = spanText(seconds);
    if (left.textContent !== text) left.textContent = text;
    if (seconds <= 0) leave(say("sessionOver"));
  });
};
