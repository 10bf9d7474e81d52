/** The code field: one input, with a box for each digit. */
import { el, field } from "./elements.ts";

/**
 * @param length number of digits. @param onFull called when the last one is typed.
 * @returns the field; `frame` is the element around the boxes, the target of flying digits on the stage; `fill` replaces
 * the content, as the user would.
 */
export const codeField = (length: number, onFull: () => void) => {
  const made = field("code", "Code", {
    class: "code",
    inputmode: "numeric",
    autocomplete: "one-time-code",
    pattern: "[0-9]*",
    required: true,
  });
  const { input } = made;
  const cells = Array.from({ length }, () => el("span"));
  const frame = el("div", { class: "cells" });
  frame.style.setProperty("--digits", String(length));
  input.replaceWith(frame);
  frame.append(el("div", { "aria-hidden": "true" }, ...cells), input);
  const fill = (typed: string): void => {
    const digits = typed.replace(/\D/g, "").slice(0, length);
    if (digits !== input.value) input.value = digits;
    for (const [at, cell] of cells.entries()) cell.toggleAttribute("data-next", at === digits.length);
  };
  input.addEventListener("input", () => {
    fill(input.value);
    if (input.value.length === length) onFull();
  });
  fill("");
  return { ...made, frame, fill };
};
