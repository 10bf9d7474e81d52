/** The field of the code: one input, with a box under each of its digits. */
import { el, type Field, field } from "./elements.ts";

/** A field for digits. */
export interface CodeField extends Field {
  /** Around the boxes, which digits fly to on the stage. */
  readonly frame: HTMLElement;
  /** Empties it, or types into it as the user would. */
  fill(digits: string): void;
}

/** @param length digits of a code. @param onFull told when the last one was typed. */
export const codeField = (length: number, onFull: () => void): CodeField => {
  const made = field("code", "Code", {
    class: "code",
    inputmode: "numeric",
    autocomplete: "one-time-code",
    maxlength: String(length + 4),
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
