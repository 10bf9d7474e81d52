/**
 * A logged request made ready to be sent once more.
 */
import { type Problem, problem } from "#contract/problems.ts";
import type { World } from "#domain/world.ts";
import type { Exchange } from "./exchange.ts";
import { hasBody } from "./read-body.ts";

/** What belongs to the connection that it came over, or follows from the rest. */
const OF_CONNECTION = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** A request as it can be sent again. */
export interface Repeat {
  readonly method: string;
  /** As it was asked for, with its query. */
  readonly path: string;
  /** Secrets as they came; that of an app as it is now. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whether `authorization` is the secret of an app. */
  readonly withAppSecret: boolean;
  /** The whole body; null: it had none. */
  readonly body: Buffer | null;
}

/** @returns the request of a row, or 409 where the log has not kept its whole body. */
export const repeatOf = (world: World, row: Exchange): Repeat | { readonly problem: Problem } => {
  const { method, path, requestBody, requestBodyBytes } = row;
  const kept = requestBody === null ? !hasBody(row.requestHeaders) : requestBody.length === requestBodyBytes;
  if (!kept) return problem("body_not_kept");
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(row.requestHeaders))
    if (value !== undefined && !OF_CONNECTION.has(name)) headers.set(name, String(value));
  // A secret may have been renewed since; one that no app had stays as it came.
  const app = row.listener === "admin" && row.appId !== null ? world.app(row.appId) : undefined;
  if (app !== undefined) headers.set("authorization", `Bearer ${app.app.secret}`);
  return { method, path, headers, withAppSecret: app !== undefined, body: requestBody };
};
