/** Arranges that the next login has an outcome, using only what the control API offers. */

import { routes } from "#contract/control/routes.ts";
import type { FaultEffect, FaultInput } from "#contract/service/faults.ts";
import type { ProfileRecord } from "#contract/service/records.ts";
import { type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { sendPasscode } from "#domain/issue-passcode.ts";
import { readProfileFields } from "#domain/profile-fields.ts";
import { createProfile, deleteProfiles } from "#domain/profiles.ts";
import { addSession, expireSession, revokeSessions } from "#domain/session-control.ts";
import type { Cause } from "#domain/store.ts";
import type { AppWorld, Env } from "#domain/world.ts";
import type { Kernel } from "#features/kernel.ts";
import { Refusal, settled, wrongFields } from "#http/lookups/select.ts";
import type { FaultOwner } from "../faults/fault-list.ts";
import type { FaultOrder } from "../faults/faults.ts";
import type { ProvokeAnswer } from "./contract/coverage.ts";
import { type OutcomeId, thenOf } from "./contract/outcomes.ts";

interface Whom {
  readonly profile: ProfileRecord;
  readonly username: string;
}

const MADE_UP: Readonly<Record<UsernameField, (digits: string) => string>> = {
  phone: (digits) => `+1202${digits}`,
  email: (digits) => `user-${digits}@example.com`,
};

interface FaultOnce {
  readonly method: "POST" | "PUT";
  readonly effect: FaultEffect;
  /** Only an existing user can have it: a new one signs up, without a code. */
  readonly needsUser: boolean;
}
/** How an outcome is arranged: by a fault, or by a change of a user; null: only a person can. */
type Arrangement = FaultOnce | ((app: AppWorld, profile: ProfileRecord, env: Env, cause: Cause) => void) | null;

const asking = (effect: FaultEffect): FaultOnce => ({ method: "POST", effect, needsUser: false });
const sending = (effect: FaultEffect): FaultOnce => ({ method: "POST", effect, needsUser: true });
const entered = (effect: FaultEffect): FaultOnce => ({ method: "PUT", effect, needsUser: true });
const typing = (reason: NonNullable<FaultEffect["reason"]>): FaultOnce => entered({ reason });

/** A timer can fire a little early. */
const SLOW_MS = 3_100;
/** Longer than the 10 s from which on a code is late. */
const LATE_MS = 15_000;
/** Longer than an app waits. */
const NEVER_MS = 60_000;

const arrangementsOf = ({ store }: Kernel): Readonly<Record<OutcomeId, Arrangement>> => ({
  signedUp: null,
  signUpRefused: asking({ reason: "sign_up_closed" }),
  signedUpAgain: (app, profile, env, cause) => {
    settled(store.transact((world) => deleteProfiles(world, [[app, [profile.userId]]], env), cause));
  },
  codeSent: null,
  codeResent: (app, profile, env, cause) => {
    settled(store.transact((world) => sendPasscode(world, app, profile.userId, env), cause));
  },
  codeLate: sending({ deliverAfterMs: LATE_MS }),
  codeTwice: sending({ deliverTwice: true }),
  codeNeverCame: sending({ undelivered: true }),
  rateLimited: asking({ reason: "rate_limited" }),
  signedIn: null,
  signedInWithDetails: null,
  wrongCode: null,
  rightAfterWrong: null,
  locked: typing("passcode_exhausted"),
  expiredCode: typing("passcode_expired"),
  replacedCode: typing("passcode_replaced"),
  usedCode: typing("passcode_used"),
  noCode: typing("passcode_not_sent"),
  slowAnswer: asking({ delayMs: SLOW_MS }),
  noAnswer: asking({ drop: true }),
  answerLost: entered({ drop: true, after: true }),
  sentTwice: entered({ twice: true }),
  serverError: asking({ status: 503 }),
  appGaveUp: asking({ delayMs: NEVER_MS }),
  signedInAfterExpiry: (app, profile, env, cause) => {
    const session = settled(store.transact((world) => addSession(world, app, profile, env), cause));
    settled(store.transact((world) => expireSession(world, app, session, env), cause));
  },
  signedInAfterRevocation: (app, profile, env, cause) => {
    const session = settled(store.transact((world) => addSession(world, app, profile, env), cause));
    settled(store.transact((world) => revokeSessions(world, [[app, [session]]], env), cause));
  },
  signedOut: null,
});

interface Provoked {
  readonly appId: string;
  readonly outcome: OutcomeId;
  readonly to: string | undefined;
  readonly faultId: string;
}

interface Provoker {
  readonly env: Env;
  readonly cause: Cause;
  /** In whose room its fault is. */
  readonly by: FaultOwner;
}

export const createProvocations = (kernel: Kernel) => {
  const { store } = kernel;
  const { faults } = kernel;
  const arrangements = arrangementsOf(kernel);
  let provoked: readonly Provoked[] = [];

  const remove = (which: (one: Provoked) => boolean): void => {
    for (const one of provoked) if (which(one)) faults.remove(one.faultId);
    provoked = provoked.filter((one) => !which(one));
  };

  const create = (app: AppWorld, username: string, env: Env, cause: Cause): Whom => {
    const fields = { [usernameField(app.app)]: username };
    return { profile: settled(store.transact((world) => createProfile(world, app, fields, env), cause)), username };
  };

  const unused = (app: AppWorld, env: Env): string => {
    for (;;) {
      const username = MADE_UP[usernameField(app.app)](env.digits(7));
      if (app.profileByUsername(username) === undefined) return username;
    }
  };

  /** @returns the named user, who is created if necessary; else who signed in last, the newest, or a new one. */
  const whom = (app: AppWorld, to: string | undefined, env: Env, cause: Cause): Whom => {
    const field = usernameField(app.app);
    const last = app.find("profiles", app.sessions.at(-1)?.userId ?? "");
    const newest = last?.[field] ? last : app.profiles.findLast((profile) => profile[field] !== null);
    const profile = to === undefined ? newest : app.profileByUsername(to);
    const username = profile?.[field] ?? to ?? unused(app, env);
    return profile === undefined ? create(app, username, env, cause) : { profile, username };
  };

  /** Sets a fault instead of one for the same. @throws Refusal before a user is made for it. */
  const once = (app: AppWorld, outcome: OutcomeId, to: string | undefined, fault: FaultOnce, provoker: Provoker) => {
    const { appId } = app.app;
    const who = to === undefined ? {} : { to };
    const match = { appId, listener: "auth", method: fault.method, path: routes.startSession.path, ...who } as const;
    const isSame = (one: Provoked): boolean => one.appId === appId && one.outcome === outcome && one.to === to;
    const before = provoked.filter(isSame).map(({ faultId }) => faultId);
    const inputs: FaultInput[] = [{ match, effect: fault.effect, times: 1 }];
    const order: FaultOrder = { by: provoker.by, isNext: true, instead: ({ id }) => before.includes(id) };
    const refused = faults.refusal(inputs, order);
    if (refused !== undefined) throw new Refusal(refused);
    const isNew = fault.needsUser && to !== undefined && app.profileByUsername(to) === undefined;
    const made = isNew ? { userId: create(app, to, provoker.env, provoker.cause).profile.userId } : {};
    const added = faults.add(inputs, order);
    const [set] = "problem" in added ? [] : added.faults;
    if (set === undefined) throw new Error("There was room for the fault a moment ago.");
    const there = new Set(faults.list().map(({ id }) => id));
    const others = provoked.filter((one) => !isSame(one) && there.has(one.faultId));
    provoked = [...others, { appId, outcome, to, faultId: set.id }];
    return { set: { faultId: set.id, ...made }, user: to };
  };

  const arranged = (app: AppWorld, outcome: OutcomeId, to: string | undefined, provoker: Provoker) => {
    const { env, cause } = provoker;
    const arrangement = arrangements[outcome];
    const read = readProfileFields(app.app, { [usernameField(app.app)]: to ?? null }, null);
    if ("errors" in read) throw wrongFields(read.errors);
    if (arrangement === null) return { set: {}, user: to };
    if (typeof arrangement !== "function") return once(app, outcome, to, arrangement, provoker);
    // Never deletes a profile that the caller did not name.
    const isSafe = outcome !== "signedUpAgain" || to !== undefined;
    const { profile, username } = isSafe ? whom(app, to, env, cause) : create(app, unused(app, env), env, cause);
    arrangement(app, profile, env, cause);
    return { set: { userId: profile.userId }, user: username };
  };

  return {
    /** @param to whose login; absent: any user's, or a user of its choice. @throws Refusal if that cannot be arranged. */
    arrange: (app: AppWorld, outcome: OutcomeId, to: string | undefined, provoker: Provoker): ProvokeAnswer => {
      const { set, user } = arranged(app, outcome, to, provoker);
      // biome-ignore lint/suspicious/noThenProperty: the API names it so
      return { outcome, set, then: thenOf(outcome, user) };
    },
    /** Removes the faults that are not used up, of one app or of all. */
    clear: (appId: string | undefined): void => remove((one) => appId === undefined || one.appId === appId),
  };
};
