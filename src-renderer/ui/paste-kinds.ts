/** What a pasted text is: a token, an id or a passcode. */
import { UUID } from "./words.ts";

/** A recognised text. */
export type Pasted =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "passcode"; readonly code: string };

/**
 * A header of a JWT begins with `{"`. The signature may be missing. It begins after what no token has, so that each part
 * of a text is read once.
 */
const TOKEN = /(?<![\w-])eyJ[\w-]*\.[\w-]+\.[\w-]*/;
/** Alone, or after a word, as in the text of a message. */
const PASSCODE = /^(\d(?:[ -]?\d){3,9})$|[\p{L}:] (\d{4,10}|\d{2,5}[ -]\d{2,5})(?=[ .,]|$)/u;

/** @param text in one line; may be a header, or a JSON body with one value of interest. @returns null: none of these. */
export const pastedIn = (text: string): Pasted | null => {
  const [token] = TOKEN.exec(text) ?? [];
  if (token !== undefined) return { kind: "token", token };
  const [id] = UUID.exec(text) ?? [];
  if (id !== undefined) return { kind: "id", id: id.toLowerCase() };
  const [, alone, code = alone] = PASSCODE.exec(text) ?? [];
  return code === undefined ? null : { kind: "passcode", code: code.replaceAll(/\D/g, "") };
};
