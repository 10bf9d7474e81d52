/**
 * A request as it is edited before it is sent again.
 */
import type { ReplayInput, RequestRow } from "#client/index.ts";

/** The methods that can be sent. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The fields of the form, as text. */
export interface ResendDraft {
  readonly method: string;
  readonly path: string;
  /** `name: value`, one a line. */
  readonly headers: string;
  readonly body: string;
}

/** What belongs to the connection, or follows from the rest: the server sets it. */
const OF_CONNECTION =
  /^(connection|content-length|expect|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** @returns a row of the log in the form. */
export const draftOf = ({ method, path, request }: RequestRow): ResendDraft => ({
  method,
  path,
  headers: Object.entries(request.headers)
    .filter(([name]) => !OF_CONNECTION.test(name))
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join("\n"),
  body: request.body ?? "",
});

const readHeaders = (text: string): Map<string, string> =>
  new Map(
    text.split("\n").flatMap((line) => {
      const [name = "", ...value] = line.split(":");
      return name.trim() === "" ? [] : [[name.trim().toLowerCase(), value.join(":").trim()] as const];
    }),
  );

/** @returns what differs from the request that was logged: a header that is gone is `null`. */
export const changeOf = (first: ResendDraft, draft: ResendDraft): ReplayInput => {
  const [before, after] = [readHeaders(first.headers), readHeaders(draft.headers)];
  const headers = Object.fromEntries([
    ...[...after].filter(([name, value]) => before.get(name) !== value),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) => [name, null] as const),
  ]);
  const method = METHODS.find((one) => one === draft.method);
  return {
    ...(draft.method === first.method || method === undefined ? {} : { method }),
    ...(draft.path === first.path ? {} : { path: draft.path }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(draft.body === first.body ? {} : { body: draft.body === "" ? null : draft.body }),
  };
};
