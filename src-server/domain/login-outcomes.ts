/** Which outcomes of a login a decision is (CONTRACT 15). `http/coverage.ts` counts them once they are answered. */
import type { OutcomeId } from "#contract/outcomes.ts";
import type { PasscodeRecord, ProfileRecord } from "#contract/records.ts";
import { isoInstant } from "#contract/scalars.ts";
import { passcodeStatus } from "./passcodes.ts";
import type { AppWorld, Env } from "./world.ts";

/** What the data no longer shows of an app. */
export interface LoginMemory {
  /** @returns whether a user with this username has been deleted. */
  hasDeleted(username: string): boolean;
  /** @returns whether a session ended because the user signed out. */
  hasSignedOut(sessionId: string): boolean;
}

/** Knows nothing. */
export const NO_MEMORY: LoginMemory = { hasDeleted: () => false, hasSignedOut: () => false };

/** @returns those of a sign-up. */
export const outcomesOfSignUp = (isAgain: boolean): readonly OutcomeId[] =>
  isAgain ? ["signedUp", "signedUpAgain"] : ["signedUp"];

/** @returns those of a new passcode; call it before the code is issued. */
export const outcomesOfCode = (app: AppWorld, profile: ProfileRecord, env: Env): readonly OutcomeId[] => {
  if (env.request.message?.isLost === true) return ["codeNeverCame"];
  const now = env.now(app.app.appId);
  // A testPasscode stays active although it has been typed.
  const isOpen = (one: PasscodeRecord): boolean =>
    one.tried.at(-1) !== one.code && passcodeStatus(one, profile, now) === "active";
  return app.of("passcodes", profile.userId).some(isOpen) ? ["codeSent", "codeResent"] : ["codeSent"];
};

const isWrong = ({ state, tried, code }: PasscodeRecord): boolean =>
  state === "active" && tried.length > 0 && tried.at(-1) !== code;

/** @returns those of a sign-in with the right passcode; call it before its changes are made. */
export const outcomesOfSignIn = (
  app: AppWorld,
  { userId }: ProfileRecord,
  withDetails: boolean,
  memory: LoginMemory,
  env: Env,
): readonly OutcomeId[] => {
  const outcomes: OutcomeId[] = ["signedIn"];
  if (withDetails) outcomes.push("signedInWithDetails");
  if (app.of("passcodes", userId).some(isWrong)) outcomes.push("rightAfterWrong");
  const last = app.of("sessions", userId).at(-1);
  if (last === undefined) return outcomes;
  if (last.revokedAt === null) {
    if (last.expiresAt <= isoInstant(env.now(app.app.appId))) outcomes.push("signedInAfterExpiry");
  } else if (!memory.hasSignedOut(last.id)) outcomes.push("signedInAfterRevocation");
  return outcomes;
};
