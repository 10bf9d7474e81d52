/** The code field: one input over a box for each digit. */
import { visible } from "#contract/words/phone-words.ts";
import { el, field } from "./elements.ts";
import { say } from "./words.ts";

let waiting = new AbortController();

/** WebOTP: a browser on a phone offers the code of a message that is bound to this host (`message.domain`). */
const receiveCode = (take: (code: string) => void): void => {
  waiting.abort();
  waiting = new AbortController();
  // Plain http from another machine has no credentials.
  if (!("OTPCredential" in window && "credentials" in navigator)) return;
  const options = { otp: { transport: ["sms"] }, signal: waiting.signal };
  navigator.credentials.get(options).then(
    (received) => received && "code" in received && take(String(received.code)),
    () => undefined,
  );
};

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
  receiveCode((code) => {
    fill(code);
    if (input.isConnected && input.value.length === length) onFull();
  });
  return { ...made, fill };
};
