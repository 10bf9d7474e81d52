/**
 * The page's three screens and the lines above them. All of the page is in index.html; here it is found and filled.
 */
import type { Profile } from "./profile.ts";
import type { Trouble } from "./words.ts";

const found = <E extends Element>(selector: string, type: new () => E, within: ParentNode = document): E => {
  const element = within.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`The page has no ${selector}.`);
  return element;
};

const SCREENS = ["start", "code", "profile"] as const;
/** One of the three screens, by its id. */
export type Screen = (typeof SCREENS)[number];

/** Shows one screen, with a line above it; what was wrong before is gone. */
export const show = (screen: Screen, notice = ""): void => {
  for (const id of SCREENS) found(`#${id}`, HTMLElement).hidden = id !== screen;
  found("#notice", HTMLElement).textContent = notice;
  showTrouble(undefined);
};

/** Shows what went wrong, and a way to try again where that may help. */
export const showTrouble = (trouble: Trouble | undefined): void => {
  const lines = (trouble?.words ?? []).map((words) => {
    const line = document.createElement("p");
    line.textContent = words;
    return line;
  });
  found("#trouble", HTMLElement).replaceChildren(...lines);
  found("#retry", HTMLButtonElement).hidden = trouble?.worthRetrying !== true;
};

/** Says whether a request is under way. */
export const showBusy = (on: boolean): void => {
  found("main", HTMLElement).ariaBusy = String(on);
};

/** Calls back with the trimmed fields of a form when it is sent; an empty field is absent. */
export const onSent = (id: string, sent: (fields: Readonly<Record<string, string>>) => void): void => {
  const form = found(`#${id}`, HTMLFormElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as const);
    sent(Object.fromEntries(entries.filter(([, value]) => value !== "")));
  });
};

/** Calls back when a button is pressed. */
export const onPressed = (id: string, pressed: () => void): void =>
  found(`#${id}`, HTMLButtonElement).addEventListener("click", pressed);

/** Empties the form of the code. */
export const clearCode = (): void => found("#enter-code", HTMLFormElement).reset();

/** Puts a profile into the screen. */
export const fillProfile = ({ name, phone, email, favoriteSeat }: Profile): void => {
  found("#who", HTMLElement).textContent = name ?? phone ?? "you";
  found("#reached", HTMLElement).textContent = `We reach you at ${phone ?? "no phone"}.`;
  const form = found("#edit", HTMLFormElement);
  for (const [field, value] of Object.entries({ name, email, favoriteSeat }))
    found(`[name=${field}]`, HTMLInputElement, form).value = value ?? "";
};
