/** Sends an import and says how much of it the server has taken: only XMLHttpRequest tells that. */
import { type Imported, StagedoorError } from "#client/index.ts";

/** @param app of the profiles. @param profiles a JSON list. @returns the body of an import, without reading the list. */
export const importBody = (mode: "merge" | "replace", app: object, profiles: Blob): Blob => {
  const around = JSON.stringify({ mode, state: { version: 1, apps: [{ ...app, profiles: [] }] } });
  const at = around.length - "[]}]}}".length;
  return new Blob([around.slice(0, at), profiles, around.slice(at + 2)], { type: "application/json" });
};

/** How to send an import. */
interface SendOptions {
  /** Only this app. */
  readonly appId?: string;
  /** The profiles are rows of people, whose metadata is cut to what fits. */
  readonly fit?: boolean;
  /** Changes nothing. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  /** Called with the share sent, 0 to 1. */
  readonly onSent?: (share: number) => void;
}

/** @param body with `mode` and `state`. @throws StagedoorError */
export const sendImport = (
  body: Blob | string,
  { appId, fit = false, dryRun = false, signal, onSent }: SendOptions,
): Promise<Imported> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({
      ...(appId === undefined ? {} : { appId }),
      users: "1",
      ...(fit ? { fit: "1" } : {}),
      ...(dryRun ? { dryRun: "1" } : {}),
    });
    request.open("PUT", `/emulator/v1/state?${query}`);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/json");
    if (onSent !== undefined) {
      request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
      // The browser asks before it leaves the page.
      const keep = (event: Event): void => event.preventDefault();
      window.addEventListener("beforeunload", keep);
      request.onloadend = () => window.removeEventListener("beforeunload", keep);
    }
    signal?.addEventListener("abort", () => request.abort());
    request.onabort = () => reject(new DOMException("The import was cancelled.", "AbortError"));
    const fail = (body?: unknown): void => {
      const reason =
        request.getResponseHeader("Emulator-Reason") ?? (request.status === 0 ? "unreachable" : "not_stagedoor");
      const message = request.status === 0 ? "Stagedoor does not respond." : `PUT state: ${request.status} ${reason}`;
      reject(new StagedoorError(message, request.status, reason, body));
    };
    request.onerror = () => fail();
    request.onload = () => {
      try {
        const body = JSON.parse(request.responseText);
        if (request.status === 200) resolve(body);
        else fail(body);
      } catch {
        fail(request.responseText);
      }
    };
    request.send(body);
  });
