/** Formats a logged request as a curl command for a POSIX shell. Everything that the client sent is quoted. */
import { isUtf8 } from "node:buffer";
import { quoted } from "#contract/words/shell-words.ts";
import type { SendableRequest } from "./resend.ts";

/** Secrets that are not the service's, and headers that describe a browser. */
const LEFT_OUT = /^(cookie|proxy-authorization|accept-encoding|sec-.*)$/;

const headerWords = ({ headers, withAppSecret, body }: SendableRequest, listener: "admin" | "auth"): string[] => {
  const words: string[] = [];
  for (const [name, value] of headers) {
    if (LEFT_OUT.test(name)) continue;
    const scheme = /^\w+ /.exec(value)?.[0] ?? "";
    const placeholder = listener === "admin" ? "<APP_SECRET>" : "<USER_SESSION_TOKEN>";
    const shown = name === "authorization" && !withAppSecret ? `${scheme}${placeholder}` : value;
    // In curl, `Name:` removes a header, and `Name;` sends it without a value.
    words.push(`-H ${quoted(shown === "" ? `${name};` : `${name}: ${shown}`)}`);
  }
  if (body !== null && !headers.has("content-type")) words.push(`-H ${quoted("content-type:")}`);
  return words;
};

/** Control characters, including bidirectional ones, would make the displayed line differ from the one that runs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

/** Bytes as an argument of `printf %b`. */
const octalEscaped = (body: Buffer): string =>
  body.toString("latin1").replace(/[^ -&(-[\]-~]/g, (byte) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, "0")}`);

/** @returns the command: with the app's secret, a placeholder for a session token, and no cookies. */
export const curlOf = (request: SendableRequest, listener: "admin" | "auth", base: string): string => {
  const { method, path, body } = request;
  const words = ["curl -g --path-as-is"];
  if (method === "HEAD") words.push("--head");
  else if (method !== "GET" || body !== null) words.push(`-X ${method}`);
  if (path.startsWith("/")) words.push(quoted(base + path));
  else words.push(quoted(base), `--request-target ${quoted(path)}`);
  words.push(...headerWords(request, listener));
  const isText = body !== null && isUtf8(body) && !UNSEEN.test(body.toString());
  if (isText) words.push(`--data-raw ${quoted(body.toString())}`);
  else if (body !== null) words.push("--data-binary @-");
  const command = `${words.join(" \\\n  ")}\n`;
  return body === null || isText ? command : `printf %b '${octalEscaped(body)}' | ${command}`;
};
