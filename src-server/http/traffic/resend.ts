/** Sends a logged request again, to the listener that it came to: over loopback, and nowhere else. */
import { request } from "node:http";
import { type Problem, problem } from "#contract/problems.ts";
import type { ResendAnswer, ResendInput } from "#contract/requests.ts";
import type { World } from "#domain/world.ts";
import { hasBody } from "../read-body.ts";
import type { Exchange } from "./exchange.ts";

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
export interface SendableRequest {
  readonly method: string;
  /** As it was sent, with its query. */
  readonly path: string;
  /** Secrets as they came; that of an app as it is now. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whether `authorization` is the secret of an app. */
  readonly withAppSecret: boolean;
  /** The whole body; null: it had none. */
  readonly body: Buffer | null;
}

/** @returns the request of a row with changes, or 409 where the log has not kept its whole body and none is given. */
export const sendableRequest = (
  world: World,
  row: Exchange,
  change: ResendInput = {},
): SendableRequest | { readonly problem: Problem } => {
  const { method = row.method, path = row.path } = change;
  const { requestBody, requestBodyBytes } = row;
  const kept = requestBody === null ? !hasBody(row.requestHeaders) : requestBody.length === requestBodyBytes;
  if (!kept && change.body === undefined) return problem("body_not_kept");
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(row.requestHeaders))
    if (value !== undefined && !OF_CONNECTION.has(name)) headers.set(name, String(value));
  // A secret may have been renewed since; one that no app had stays as it came.
  const app = row.listener === "admin" && row.appId !== null ? world.app(row.appId) : undefined;
  if (app !== undefined) headers.set("authorization", `Bearer ${app.app.secret}`);
  for (const [name, value] of Object.entries(change.headers ?? {}))
    if (value === null) headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), value);
  const changed = typeof change.body === "string" ? Buffer.from(change.body) : change.body;
  const body = changed === undefined ? requestBody : changed;
  return { method, path, headers, withAppSecret: app !== undefined, body };
};

/** Longer than any fault delays a response. */
const TIMEOUT_MS = 75_000;

/** The connection ended without a response, as by a fault. */
const NO_ANSWER: ResendAnswer = { status: 0, headers: {}, body: null, requestId: null };

/** @param port of the listener, on loopback. @returns its response. */
export const resend = ({ method, path, headers, body }: SendableRequest, port: number): Promise<ResendAnswer> =>
  new Promise((resolve) => {
    const outgoing = { ...Object.fromEntries(headers), ...(body === null ? {} : { "content-length": body.length }) };
    const sent = request({ host: "127.0.0.1", port, method, path, headers: outgoing, agent: false });
    sent.setTimeout(TIMEOUT_MS, () => sent.destroy());
    sent.once("error", () => resolve(NO_ANSWER));
    sent.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", () => resolve(NO_ANSWER));
      response.once("end", () => {
        const shown: Record<string, string> = {};
        for (const [name, value] of Object.entries(response.headers))
          if (value !== undefined) shown[name] = String(value);
        resolve({
          status: response.statusCode ?? 0,
          headers: shown,
          body: chunks.length === 0 ? null : Buffer.concat(chunks).toString("utf8"),
          requestId: shown["emulator-request-id"] ?? null,
        });
      });
    });
    sent.end(body ?? undefined);
  });
