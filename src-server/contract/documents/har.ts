/** The request log as an HTTP archive (HAR 1.2), which browsers' tools and proxies open. */
import type { RequestItem } from "../control/requests.ts";
import { utf8Bytes } from "../service/metadata.ts";
import { masked } from "../words/masked.ts";

type Row = Pick<RequestItem, "at" | "scheme" | "method" | "path" | "status" | "reason" | "durationMs"> &
  Pick<RequestItem, "advice" | "request" | "response">;

const messageOf = ({ headers: sent, body }: Row["request"]) => {
  const headers = Object.entries(sent).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));
  const headerOf = (name: string): string => headers.find((one) => one.name.toLowerCase() === name)?.value ?? "";
  const text = body ?? "";
  const common = { httpVersion: "HTTP/1.1", cookies: [], headers, headersSize: -1, bodySize: utf8Bytes(body ?? "") };
  return { common, headerOf, content: { mimeType: headerOf("content-type"), text } };
};

const entryOf = ({ at, scheme, method, path, status, reason, durationMs, advice, ...row }: Row) => {
  const [request, response] = [messageOf(row.request), messageOf(row.response)];
  const url = `${scheme}://${request.headerOf("host") || "localhost"}${path}`;
  const queryString = (url.split("?")[1] ?? "").split("&").flatMap((part) => {
    const [name = "", value = ""] = part.split("=");
    return name === "" ? [] : [{ name, value }];
  });
  return {
    startedDateTime: at,
    time: durationMs,
    request: { method, url, queryString, ...request.common, ...(row.request.body && { postData: request.content }) },
    response: {
      ...{ status, statusText: "", redirectURL: response.headerOf("location"), ...response.common },
      content: { size: response.common.bodySize, ...response.content },
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: [reason, ...(advice ?? []).map(({ text }) => text)].filter(Boolean).join(": "),
  };
};

/** @param rows of the request log, newest first. @param version of Stagedoor. @returns the archive, secrets masked. */
export const harOf = (rows: readonly Row[], version: string) => ({
  log: {
    version: "1.2",
    creator: { name: "Stagedoor", version },
    entries: rows.map((row) => entryOf(masked(row, []))).toReversed(),
  },
});
