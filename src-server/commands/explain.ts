/** Explains why requests were refused and how to fix them, as the UI does (CONTRACT 13). */
import type { Client } from "#client/client.ts";
import type { App, RequestRow } from "#client/records.ts";
import { whatToChange } from "#contract/hints.ts";
import { decisionOn, refusalWords } from "#contract/refusals.ts";

/** @see explain */
export interface Explanation {
  /** Why it was refused or got no response; null otherwise. */
  readonly reason: string | null;
  /** What to fix, most relevant first. */
  readonly change: readonly string[];
  /** The behaviour of the emulator and the id of its decision; null without a decision. */
  readonly behaviour: string | null;
}

/** @param apps the apps that may be named. @returns an explanation for each row. @throws StagedoorError */
export const explain = async (
  client: Client,
  rows: readonly RequestRow[],
  apps: readonly App[],
): Promise<Explanation[]> => {
  const about = rows.filter(({ reason }) => reason?.startsWith("passcode_") === true).map(({ appId }) => appId);
  const known = apps.filter(({ appId }) => about.includes(appId));
  const sent = await Promise.all(known.map(({ appId }) => client.passcodes.list({ appId, limit: 1_000 })));
  const passcodes = sent.flatMap(({ items }) => items);
  return rows.map((row) => {
    const reason = refusalWords(row) ?? null;
    const decision = reason === null ? undefined : decisionOn(row);
    return {
      reason,
      change: whatToChange(row, { apps, passcodes }),
      behaviour: decision === undefined ? null : `${decision.sentence} (${row.decision})`,
    };
  });
};
