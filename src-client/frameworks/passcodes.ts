/** Reads the codes of an app, each once. */
import type { App, Client, Passcode } from "stagedoor/client";

/**
 * Waits for a passcode: the newest one that this test has not read yet, issued before or after the call.
 * @param to the recipient, or options: `timeoutMs` is 30,000 if absent.
 * @throws StagedoorError after the timeout, with what arrived instead.
 */
export type ReadPasscode = (
  to: string | { readonly to: string; readonly timeoutMs?: number | undefined },
) => Promise<Passcode>;

/** @returns a function that reads an app's passcodes. */
export const passcodesOf = (client: Client, { appId }: App): ReadPasscode => {
  const read = new Map<string, number>();
  return async (wanted) => {
    const query = typeof wanted === "string" ? { to: wanted } : wanted;
    const passcode = await client.passcodes.next({ ...query, appId, after: read.get(query.to) ?? 0 });
    read.set(query.to, passcode.seq);
    return passcode;
  };
};
