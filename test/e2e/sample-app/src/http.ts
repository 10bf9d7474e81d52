/**
 * One request, and what became of it. Nothing here throws: that the network is gone is an outcome like any other.
 */

/** How long to wait for an answer, in milliseconds. */
const PATIENCE_MS = 15_000;

/** Nobody answered: no network, nobody there, or not in time. */
interface Unreachable {
  readonly kind: "unreachable";
}
/** Somebody answered that it cannot be. */
interface Refused {
  readonly kind: "refused";
  readonly status: number;
  /** From `Retry-After`; null if it was not said. */
  readonly retryAfterSeconds: number | null;
  /** What came as JSON, else null. */
  readonly body: unknown;
}
/** It did not work. */
export type Failure = Unreachable | Refused;
/** It worked; `body` is what came as JSON, else null. */
export interface Done {
  readonly kind: "done";
  readonly status: number;
  readonly body: unknown;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // A gateway in between may answer in HTML.
    return null;
  }
};

/** Sends a request; a body goes as JSON, a token as `Authorization`. */
export const send = async (
  method: string,
  url: string,
  { body, token }: { readonly body?: unknown; readonly token?: string } = {},
): Promise<Done | Failure> => {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { status } = response;
    const found = parse(await response.text());
    if (response.ok) return { kind: "done", status, body: found };
    const seconds = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
    return { kind: "refused", status, retryAfterSeconds: Number.isNaN(seconds) ? null : seconds, body: found };
  } catch {
    return { kind: "unreachable" };
  }
};
