/** Sends the requests of `stagedoor conform`, each within its time limit. */
import { joinSignals, readText, untilAborted } from "#client/signals.ts";
import type { Send } from "./measure/service.ts";

/** @returns what an error says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @returns what to do about a failed connection, as far as that is known. */
const remedyOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/CERT|VERIFY|SELF_SIGNED/.test(code)) return ". Name the file of its authority in NODE_EXTRA_CA_CERTS";
  return /ECONNREFUSED|ENOTFOUND/.test(code) ? ". Is the URL right, and the service running?" : "";
};

/** @returns a function that sends requests; those under way fail when `ended` aborts. */
export const createSender = (ended: AbortSignal): Send => {
  return async ({ method, url, headers, body }, timeoutMs) => {
    // What is sent after an interruption deletes profiles.
    const limit = joinSignals(ended.aborted ? [] : [ended], Math.ceil(timeoutMs));
    const { signal } = limit;
    try {
      const answer = await untilAborted(fetch(url, { method, headers, body, redirect: "manual", signal }), signal);
      const text = await readText(answer, signal);
      return { status: answer.status, headers: Object.fromEntries(answer.headers), text };
    } catch (error) {
      if (signal.reason?.name === "TimeoutError") throw new Error(`none within ${Math.ceil(timeoutMs / 1_000)} s`);
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new Error(`${messageOf(cause)}${remedyOf(cause)}`);
    } finally {
      limit.release();
    }
  };
};
