/**
 * A request of the log as a line for a terminal.
 */
import type { RequestRow } from "../../api/request-log.ts";
import { quoted } from "../../ui/commands.ts";

/** What belongs to one connection (RFC 9110 7.6.1), and what curl writes itself. */
const NOT_COPIED = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  "content-length",
  "accept-encoding",
]);

const MASK = "***";

/** What stands in for a masked secret, so that one sees what to fill in. */
const placeholder = (name: string, { listener }: RequestRow): string => {
  if (name === "authorization") return listener === "admin" ? "<APP_SECRET>" : "<TOKEN>";
  return `<${name.toUpperCase().replaceAll("-", "_")}>`;
};

/** @param baseUrl the URL of the listener that was asked. @returns the same request by curl. */
export const curlOf = (row: RequestRow, baseUrl: string): string => {
  const headers = Object.entries(row.request.headers)
    .filter(([name]) => !NOT_COPIED.has(name.toLowerCase()))
    .flatMap(([name, value]) => (typeof value === "string" ? [value] : value).map((one) => [name, one] as const))
    .map(([name, value]) => `${name}: ${value.replace(MASK, placeholder(name.toLowerCase(), row))}`);
  const { body } = row.request;
  const method = row.method === "HEAD" ? "--head" : `-X ${row.method}`;
  return [
    `curl -i ${method} ${quoted(baseUrl + row.path)}`,
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...(body === null || body === "" ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(" \\\n  ");
};
