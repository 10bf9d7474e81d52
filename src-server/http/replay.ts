/**
 * Sends a logged request once more, to the listener that it came to: over loopback, and nowhere else.
 */
import { request } from "node:http";
import type { ReplayAnswer } from "#contract/requests.ts";
import type { Repeat } from "./repeat.ts";

/** Longer than any fault delays an answer. */
const TIMEOUT_MS = 75_000;

/** The connection ended without an answer, as by a fault. */
const NO_ANSWER: ReplayAnswer = { status: 0, headers: {}, body: null, requestId: null };

/** @param port of the listener, on loopback. @returns what it answered. */
export const replay = ({ method, path, headers, body }: Repeat, port: number): Promise<ReplayAnswer> =>
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
