/** DOM helpers: the demo app has no framework. */

type Child = Node | string | null;
type Handler = (event: Event) => void;

/** @param props attributes; `on…` adds a listener; false omits an attribute. @returns a new element. */
export const el = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Readonly<Record<string, string | boolean | Handler>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
};

/** @returns the element with this id. */
export const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}.`);
  return element;
};

/** A labelled field, with an error below it after `fail`. */
export interface Field {
  readonly box: HTMLElement;
  readonly input: HTMLInputElement;
  /** Shows an error, or clears it with "". */
  fail(text: string): void;
}

/** @param props of the input. */
export const field = (
  id: string,
  label: string,
  props: Readonly<Record<string, string | boolean | Handler>>,
): Field => {
  const error = el("p", { id: `${id}-error`, class: "error", role: "alert" });
  const input = el("input", { id, "aria-describedby": `${id}-error`, ...props });
  return {
    box: el("div", { class: "field" }, el("label", { for: id }, label), input, error),
    input,
    fail: (text) => {
      error.textContent = text;
      input.setAttribute("aria-invalid", String(text !== ""));
    },
  };
};
