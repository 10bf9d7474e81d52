/** DOM helpers: the demo app has no framework. */

type Props = Readonly<Record<string, string | boolean | ((event: Event) => void)>>;

/** @param props attributes; `on…` adds a listener; false omits an attribute. @returns a new element. */
export const el = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
};

/** @returns the element with this id. */
export const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}.`);
  return element;
};

/** @param props of the input. @returns a labelled field; `fail` shows an error below it, or clears it with "". */
export const field = (id: string, label: string, props: Props) => {
  const error = el("p", { id: `${id}-error`, class: "error", role: "alert" });
  const input = el("input", { id, "aria-describedby": `${id}-error`, ...props });
  return {
    box: el("div", { class: "field" }, el("label", { for: id }, label), input, error),
    input,
    fail: (text: string): void => {
      error.textContent = text;
      input.setAttribute("aria-invalid", String(text !== ""));
    },
  };
};
