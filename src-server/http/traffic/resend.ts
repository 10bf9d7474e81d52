/** Resends a logged request to the listener that received it, only over loopback. */
import { type IncomingMessage, request } from "node:http";
import type { ResendAnswer, ResendInput } from "#contract/control/requests.ts";
import { type Problem, problem } from "#contract/service/problems.ts";
import type { World } from "#domain/world.ts";
import { hasBody } from "../bodies/read-body.ts";
import { type Exchange, RESENT } from "./exchange.ts";

/** Headers that belong to the original connection or follow from the rest. */
const OF_CONNECTION =
  /^(connection|content-length|expect|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

/** A request ready to be resent. */
export interface SendableRequest {
  readonly method: string;
  readonly path: string;
  /** Secrets as received, but the current app secret. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whether `authorization` is an app secret. */
  readonly withAppSecret: boolean;
  /** The whole body; null if there was none. */
  readonly body: Buffer | null;
}

/** @returns the request of a row with changes; 409 if the log lacks the complete body and none is given. */
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
    if (value !== undefined && !OF_CONNECTION.test(name)) headers.set(name, String(value));
  // The secret may have been renewed since; an unknown one stays as received.
  const app = row.listener === "admin" && row.appId !== null ? world.app(row.appId) : undefined;
  if (app !== undefined) headers.set("authorization", `Bearer ${app.app.secret}`);
  for (const [name, value] of Object.entries(change.headers ?? {}))
    if (value === null) headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), value);
  const changed = typeof change.body === "string" ? Buffer.from(change.body) : change.body;
  const body = changed === undefined ? requestBody : changed;
  return { method, path, headers, withAppSecret: app !== undefined, body };
};

/** Longer than the longest delay of a fault. */
const TIMEOUT_MS = 75_000;

/** The connection ended without a response, for example by a fault. */
const NO_ANSWER: ResendAnswer = { status: 0, headers: {}, body: null, requestId: null };

/** @param port of the listener on loopback. @returns its response. */
export const resend = async ({ method, path, headers, body }: SendableRequest, port: number): Promise<ResendAnswer> => {
  const length = body === null ? {} : { "content-length": body.length };
  const outgoing = { ...Object.fromEntries(headers), ...length, [RESENT]: "1" };
  const sent = request({ host: "127.0.0.1", port, method, path, headers: outgoing, agent: false });
  sent.setTimeout(TIMEOUT_MS, () => sent.destroy());
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent
        .on("error", reject)
        .once("response", resolve)
        .end(body ?? undefined);
    });
    const { buffer } = await import("node:stream/consumers");
    const received = await buffer(response);
    const shown: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) if (value !== undefined) shown[name] = String(value);
    const requestId = shown["emulator-request-id"] ?? null;
    const text = received.length === 0 ? null : received.toString("utf8");
    return { status: response.statusCode ?? 0, headers: shown, body: text, requestId };
  } catch {
    return NO_ANSWER;
  }
};
