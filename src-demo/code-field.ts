/** The code field: one input over a box for each digit. */
import { visible } from "#contract/words/phone-words.ts";
import { el, field } from "./elements.ts";
import { say } from "./words.ts";

/**
 * @param length number of digits. @param onFull called when the last one is typed.
 * @returns the field; `fill` replaces the content, as the user would.
 */
export const codeField = (length: number, onFull: () => void) => {
  const made = field("code", say("code"), {
    class: "code",
    inputmode: "numeric",
    autocomplete: "one-time-code",
    pattern: "[0-9]*",
    required: true,
  });
  const { input } = made;
  const cells = Array.from({ length }, () => el("span"));
  const frame = el("div", { class: "cells" });
  input.replaceWith(frame);
  frame.append(input, el("div", { "aria-hidden": "true" }, ...cells));
  const fill = (typed: string): void => {
    const digits = visible(typed).replace(/\D/g, "").slice(0, length);
    if (digits !== input.value) input.value = digits;
    for (const [at, cell] of cells.entries()) {
      cell.textContent = digits[at] ?? "";
      cell.toggleAttribute("data-next", at === digits.length);
    }
  };
  input.addEventListener("input", () => {
    fill(input.value);
    if (input.value.length === length) onFull();
  });
  fill("");
  return { ...made, fill };
};
