/** The screen of the demo app: its content, and timers that end with it. */
import { byId, el } from "./elements.ts";

const screen = byId("screen");
let ticking: number | undefined;
let shown = 0;

/** Runs something now and every second, until the next screen. */
export const everySecond = (work: () => void): void => {
  work();
  ticking = window.setInterval(work, 1_000);
};

/** Announces a text to screen readers. */
export const announce = (text: string): void => {
  byId("said").textContent = text;
};

/** Shows a screen. @param focus the element to focus; by default the screen, so that its title is read. */
export const show = (title: string, children: readonly (Node | null)[], focus: HTMLElement = screen): void => {
  window.clearInterval(ticking);
  shown++;
  screen.replaceChildren(el("h1", {}, title), ...children.filter((child) => child !== null));
  document.title = title;
  focusOn(focus);
};

/** Focuses an element; in Present only if the page has the focus already. */
export const focusOn = (element: HTMLElement): void => {
  if (window.parent === window || document.hasFocus()) element.focus({ preventScroll: true });
};

/** @returns a function that tells whether the current screen is still shown. */
export const stillShown = (): (() => boolean) => {
  const now = shown;
  return () => now === shown;
};

/** @returns what went wrong, as a paragraph. */
export const wrong = (text: string): HTMLElement => el("p", { class: "error" }, text);

/** @returns a button outside forms. @param kind `plain` for a secondary one. */
export const button = (label: string, press: () => void, kind = ""): HTMLButtonElement =>
  el("button", { type: "button", class: kind, onclick: press }, label);

/** @returns a form that calls `submit` instead of leaving the page. */
export const form = (submit: () => void, ...children: readonly Node[]): HTMLFormElement => {
  const onsubmit = (event: Event): void => {
    event.preventDefault();
    submit();
  };
  return el("form", { novalidate: true, onsubmit }, ...children);
};
