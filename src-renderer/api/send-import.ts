/** Sends an import and says how much of it the server has taken: only XMLHttpRequest tells that. */
import { type Imported, StagedoorError, type World } from "#client/index.ts";

/** @param options `appId`: only this app. @param onSent called with the share sent, 0 to 1. @throws StagedoorError */
export const sendImport = (
  state: World,
  { mode, appId }: { readonly mode: "merge" | "replace"; readonly appId?: string },
  onSent: (share: number) => void,
): Promise<Imported> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", `/emulator/v1/state${appId === undefined ? "" : `?${new URLSearchParams({ appId })}`}`);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/json");
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
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
    request.send(JSON.stringify({ mode, state }));
  });
