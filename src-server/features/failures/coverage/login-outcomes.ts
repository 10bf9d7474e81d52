/** Which outcomes of a login a transaction was, read from what it changed. */

import { foldUsername, isoInstant } from "#contract/scalars.ts";
import type { PasscodeRecord } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import type { RecordDifference } from "#domain/history/differences.ts";
import type { HistoryEntry } from "#domain/history/history.ts";
import { passcodeStatus } from "#domain/passcodes.ts";
import type { AppWorld } from "#domain/world.ts";
import type { OutcomeId } from "./contract/outcomes.ts";

/** What the data no longer shows of an app: usernames of deleted users, and sessions that ended with a sign-out. */
export type LoginMemory = Readonly<Record<"deleted" | "signedOut", { has(one: string): boolean }>>;

const isWrong = ({ state, tried, code }: PasscodeRecord): boolean =>
  state === "active" && tried.length > 0 && tried.at(-1) !== code;

/** @param app right after the transaction. @returns its outcomes; none if no user requested a code or signed in. */
export const outcomesOf = (
  { differences, atMs }: HistoryEntry,
  app: AppWorld,
  memory: LoginMemory,
): readonly OutcomeId[] => {
  const of = <C extends RecordDifference["noun"]>(noun: C) =>
    differences.filter((one): one is Extract<RecordDifference, { noun: C }> => one.noun === noun);
  const code = of("passcodes").find(({ before }) => before === undefined)?.after;
  const session = of("sessions").find(({ before }) => before === undefined)?.after;
  const userId = (code ?? session)?.userId ?? "";
  const profile = app.find("profiles", userId);
  if (profile === undefined) return [];
  const changed = of("passcodes");
  const codes = [
    ...changed.flatMap(({ before }) => before ?? []),
    ...app.of("passcodes", userId).filter(({ id }) => !changed.some(({ after }) => after?.id === id)),
  ];
  if (code !== undefined) {
    if (code.delivery === "failed") return ["codeNeverCame"];
    // A testPasscode stays active although it has been typed.
    const isOpen = (one: PasscodeRecord): boolean =>
      one.tried.at(-1) !== one.code && passcodeStatus(one, profile, atMs) === "active";
    return codes.some(isOpen) ? ["codeSent", "codeResent"] : ["codeSent"];
  }
  if (session === undefined) return [];
  const [updated] = of("profiles");
  if (updated !== undefined && updated.before === undefined)
    return memory.deleted.has(foldUsername(profile[usernameField(app.app)] ?? ""))
      ? ["signedUp", "signedUpAgain"]
      : ["signedUp"];
  const outcomes: OutcomeId[] = ["signedIn"];
  if (updated !== undefined) outcomes.push("signedInWithDetails");
  if (codes.some(isWrong)) outcomes.push("rightAfterWrong");
  const last = app.of("sessions", userId).findLast(({ id }) => id !== session.id);
  if (last === undefined) return outcomes;
  if (last.revokedAt === null) {
    if (last.expiresAt <= isoInstant(atMs)) outcomes.push("signedInAfterExpiry");
  } else if (!memory.signedOut.has(last.id)) outcomes.push("signedInAfterRevocation");
  return outcomes;
};
