/** What is wrong with the head of a request: its path, its method and its headers. */

import { header, instructionOf } from "#contract/control/refusals.ts";
import type { RequestItem } from "#contract/control/requests.ts";
import { isEmulated, type Operation, routes } from "#contract/control/routes.ts";
import { frozen } from "#contract/frozen.ts";
import { problems } from "#contract/service/problems.ts";

const MOST_PATH = 100;
const pathOf = ({ path }: RequestItem): string => path.replace(/\?.*$/s, "").slice(0, MOST_PATH);
const sent = (item: RequestItem, name: string, most: number): string | undefined =>
  header(item.request.headers, name)?.slice(0, most);

/** @returns the paths of an interface. */
const pathsOf = (listener: RequestItem["listener"]): string =>
  [
    ...new Set(
      Object.values<Operation>(routes)
        .filter((row) => row.listener === listener && isEmulated(row) && row.path.startsWith("/v1/"))
        .map(({ path }) => path),
    ),
  ].join(" and ");

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/)/i;

const WORDS = frozen<Readonly<Record<string, (item: RequestItem) => string | undefined>>>({
  not_json: (item) => {
    const type = sent(item, "content-type", 100);
    if (type === undefined) return "The request has no Content-Type. It must be application/json.";
    return FORM.test(type)
      ? `The Content-Type is “${type}”: the body is a form. Send JSON, with the Content-Type application/json.`
      : `The Content-Type is “${type}”. It must be application/json, in UTF-8.`;
  },
  encoded_body: (item) =>
    `The Content-Encoding is “${sent(item, "content-encoding", 60) ?? ""}”. Send the body without compression.`,
  unknown_path: (item) =>
    // Another instruction says what was meant.
    instructionOf(item) === problems.unknown_path.instruction
      ? `Nothing is at ${item.method} ${pathOf(item)}. This is ${item.listener}, with ${pathsOf(item.listener)}.`
      : undefined,
  method_not_allowed: (item) =>
    `${pathOf(item)} does not take ${item.method}. It takes ${header(item.response.headers, "allow") ?? "other methods"}.`,
  misdirected_host: (item) =>
    `The Host header is “${sent(item, "host", 100) ?? ""}”. Use an IP address or localhost, or add the name with --allow-host.`,
  unknown_expectation: (item) =>
    `The Expect header is “${sent(item, "expect", 60) ?? ""}”. Send none, or 100-continue.`,
  body_too_large: (item) =>
    `The body has ${sent(item, "content-length", 20) ?? "too many"} bytes, more than the limit. Send a smaller body.`,
});

/** @returns what is wrong, for the reasons that the head explains. */
export const headWords = (reason: string, item: RequestItem): string | undefined =>
  Object.hasOwn(WORDS, reason) ? WORDS[reason]?.(item) : undefined;
