/** What a pasted text is: a token, an id, a passcode or a curl command. */
import { UUID } from "../../ui/words.ts";

/** A request as curl would send it. */
export interface CurlCommand {
  readonly method: string;
  readonly url: URL;
  /** One `name: value` a line. */
  readonly headers: string;
  readonly body: string;
}

/** A recognised text. */
export type Pasted =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "passcode"; readonly code: string }
  | { readonly kind: "curl"; readonly command: CurlCommand };

/**
 * A header of a JWT begins with `{"`. The signature may be missing. It begins after what no token has, so that each part
 * of a text is read once.
 */
const TOKEN = /(?<![\w-])eyJ[\w-]*\.[\w-]+\.[\w-]*/;
/** Alone, or after a word, as in the text of a message. */
const PASSCODE = /^(\d(?:[ -]?\d){3,9})$|[\p{L}:] (\d{4,10}|\d{2,5}[ -]\d{2,5})(?=[ .,]|$)/u;
const CURL = /^(?:\$ )?curl\s/;

/** A word of a shell: quoted parts, escaped characters, and all other characters but spaces. */
const WORD = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g;
const PART = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g;
const plain = (word: string): string =>
  word.replace(PART, (_all, single?: string, double?: string, escaped?: string) => {
    if (double === undefined) return single ?? escaped ?? "";
    return double.replace(/\\(["\\$`])/g, "$1");
  });

/** Options of curl that take a value and change nothing of the request. */
const WITH_VALUE =
  /^(?:-[bomwxAuE]|--(?:cacert|cert|connect-timeout|cookie|key|max-time|output|proxy|resolve|retry|user|user-agent|write-out))$/;

const readCurl = (text: string): CurlCommand | undefined => {
  const words = [...text.matchAll(WORD)].map(([word]) => plain(word)).slice(text.startsWith("$") ? 2 : 1);
  const headers: string[] = [];
  const data: string[] = [];
  let method: string | undefined;
  let address: string | undefined;
  let type = "application/x-www-form-urlencoded";
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, short, rest] = /^(-[XHd])(.+)$/.exec(word) ?? [];
    const option = short ?? word;
    const value = (): string => rest ?? words.shift() ?? "";
    if (option === "-X" || option === "--request") method = value();
    else if (option === "-H" || option === "--header") headers.push(value());
    else if (option === "-d" || /^--(?:data(?:-raw|-binary|-ascii)?|json)$/.test(option)) {
      data.push(value());
      if (option === "--json") type = "application/json";
    } else if (WITH_VALUE.test(option)) value();
    else if (!option.startsWith("-")) address ??= option;
  }
  if (address === undefined) return undefined;
  // Like curl.
  if (!/^\w+:\/\//.test(address)) address = `http://${address}`;
  if (!URL.canParse(address)) return undefined;
  if (data.length > 0 && !headers.some((line) => /^content-type:/i.test(line))) headers.push(`content-type: ${type}`);
  return {
    method: method ?? (data.length > 0 ? "POST" : "GET"),
    url: new URL(address),
    headers: headers.join("\n"),
    body: data.join("&"),
  };
};

/** @param text in one line; may be a header, or a JSON body with one value of interest. @returns null: none of these. */
export const pastedIn = (text: string): Pasted | null => {
  if (CURL.test(text)) {
    const command = readCurl(text);
    return command === undefined ? null : { kind: "curl", command };
  }
  const [token] = TOKEN.exec(text) ?? [];
  if (token !== undefined) return { kind: "token", token };
  const [id] = UUID.exec(text) ?? [];
  if (id !== undefined) return { kind: "id", id: id.toLowerCase() };
  const [, alone, code = alone] = PASSCODE.exec(text) ?? [];
  return code === undefined ? null : { kind: "passcode", code: code.replaceAll(/\D/g, "") };
};
