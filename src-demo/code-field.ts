/** The code field: one input, with a box for each digit. */
import { el, type Field, field } from "./elements.ts";

/** An input for digits. */
export interface CodeField extends Field {
  /** The element around the boxes, the target of flying digits on the stage. */
  readonly frame: HTMLElement;
  /** Replaces its content, as the user would. */
  fill(digits: string): void;
}

/** @param length number of digits. @param onFull called when the last one is typed. */
export const codeField = (length: number, onFull: () => void): CodeField => {
  const made = field("code", "Code", {
    class: "code",
    inputmode: "numeric",
    autocomplete: "one-time-code",
    pattern: "[0-9]*",
    required: true,
  });
  const { input } = made;
  const cells = Array.from({ length }, () => el("span", {}));
  const frame = el("div", { class: "cells" });
  frame.style.setProperty("--digits", String(length));
  input.replaceWith(frame);
  frame.append(el("div", { "aria-hidden": "true" }, ...cells), input);
  const follow = (): void => {
    const digits = input.value.replace(/\D/g, "").slice(0, length);
    if (digits !== input.value) input.value = digits;
    for (const [at, cell] of cells.entries()) cell.toggleAttribute("data-next", at === digits.length);
  };
  input.addEventListener("input", () => {
    follow();
    if (input.value.length === length) onFull();
  });
  follow();
  return {
    ...made,
    frame,
    fill: (digits) => {
      input.value = digits;
      follow();
    },
  };
};
