/** The one screen of the demo app: what is drawn in it, and what is running while it is there. */
import { byId, el } from "./elements.ts";

const screen = byId("screen");
let ticking: number | undefined;
let shown = 0;

/** Runs something now and every second, until the next screen. */
export const everySecond = (work: () => void): void => {
  work();
  ticking = window.setInterval(work, 1_000);
};

/** Says something to screen readers. */
export const say = (text: string): void => {
  byId("said").textContent = text;
};

/** Shows a screen. @param focus what gets the focus; absent: the screen, so that its title is read. */
export const show = (title: string, children: readonly (Node | null)[], focus: HTMLElement = screen): void => {
  window.clearInterval(ticking);
  shown++;
  screen.replaceChildren(el("h1", {}, title), ...children.filter((child) => child !== null));
  document.title = title;
  focusOn(focus);
};

/** Gives an element the focus; on the stage only if the page has it already: the keys are the stage's. */
export const focusOn = (element: HTMLElement): void => {
  if (window.parent === window || document.hasFocus()) element.focus({ preventScroll: true });
};

/** @returns whether the screen that is shown now is still there, when asked later. */
export const stillShown = (): (() => boolean) => {
  const now = shown;
  return () => now === shown;
};

/** A paragraph. @param kind its class. */
export const paragraph = (text: string, kind = ""): HTMLElement => el("p", { class: kind }, text);

/** A button that is no form's. @param kind `plain`: beside the main one. */
export const button = (label: string, press: () => void, kind = ""): HTMLButtonElement =>
  el("button", { type: "button", class: kind, onclick: press }, label);

/** Runs a call while the button is off. */
export const whileBusy = async (busy: HTMLButtonElement, work: () => Promise<void>): Promise<void> => {
  if (busy.disabled) return;
  busy.disabled = true;
  await work();
  busy.disabled = false;
};

/** A form that asks in place of the browser. */
export const form = (submit: () => void, ...children: readonly Node[]): HTMLFormElement => {
  const made = el("form", { novalidate: true }, ...children);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  return made;
};
