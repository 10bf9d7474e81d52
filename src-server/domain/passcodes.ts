import { type EpochMs, foldUsername, isoInstant } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { DeviceItem, PasscodeItem, PasscodeStatus } from "#contract/service/passcodes.ts";
import { idOf, type PasscodeRecord, type ProfileRecord, type Transit } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { Changes, type Decision, stored } from "./decision.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** @returns the status at `now`: expiry is computed. A `testPasscode` of the user stays active until replaced (D24). */
export const passcodeStatus = (
  passcode: PasscodeRecord,
  profile: ProfileRecord | undefined,
  now: EpochMs,
): PasscodeStatus => {
  if (passcode.state !== "active" || isoInstant(now) < passcode.expiresAt) return passcode.state;
  return profile?.testPasscode === passcode.code ? "active" : "expired";
};

/** @returns the wrong attempts on codes before this one that still count (`passcode.attemptsPer`). */
export const earlierOf = ({ earlier }: PasscodeRecord, now: EpochMs): number =>
  earlier !== undefined && isoInstant(now) < earlier.until ? earlier.attempts : 0;

/** @returns whether a code still counts for what the user's phone or email is now (`passcode.afterChange`). */
export const countsFor =
  ({ settings, strategy }: AppWorld["app"], profile: ProfileRecord) =>
  ({ to }: PasscodeRecord): boolean => {
    if (effectiveSettings(settings).passcode.afterChange === "works") return true;
    return foldUsername(profile[usernameField({ strategy })] ?? "") === foldUsername(to);
  };

/** @returns whether its message, or the second copy of it, has yet to arrive. */
export const isUnderWay = ({ transit }: PasscodeRecord): boolean =>
  transit !== undefined && transit.arrivals < transit.copies;

/** @returns whether the message arrived, or got lost, in the change with this number. */
export const arrivedWith = ({ delivery, transit, seq }: PasscodeRecord, change: number): boolean =>
  delivery !== "pending" && change === (transit?.seq ?? seq);

/** The message of a passcode arrives, or the next copy of it. @returns it unchanged if none is under way. */
export const deliverPasscode = (world: World, app: AppWorld, passcode: PasscodeRecord): Decision<PasscodeRecord> => {
  const { transit } = passcode;
  if (transit === undefined || !isUnderWay(passcode)) return { value: passcode, changes: [] };
  const arrived = { ...transit, arrivals: transit.arrivals + 1, seq: world.seq + 1 };
  return stored(world, "passcodes", app.app.appId, { ...passcode, delivery: "sent", transit: arrived });
};

/** Compares two texts in constant time. */
export const sameText = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
};

/** Expires a passcode now (control API). */
export const expirePasscode = (
  world: World,
  app: AppWorld,
  passcode: PasscodeRecord,
  env: Env,
): Decision<PasscodeRecord> => {
  const now = isoInstant(env.now(app.app.appId));
  if (passcode.expiresAt <= now) return { value: passcode, changes: [] };
  return stored(world, "passcodes", app.app.appId, { ...passcode, expiresAt: now });
};

/** Deletes the passcodes of these apps (control API). */
export const clearPasscodes = (world: World, apps: readonly AppWorld[]): Decision<null> => {
  const changes = new Changes(world);
  for (const app of apps) changes.remove("passcodes", app.app.appId, app.passcodes.map(idOf));
  return changes.decided(null);
};

const arrivalOf = ({ arrivesAt, arrivals, seq }: Transit) => ({
  ...(arrivals === 0 && { arrivesAt }),
  arrivals,
  ...(seq !== undefined && { arrivedSeq: seq }),
});

/** @param devices its deliveries, which are not part of the world. @returns a passcode as the control API shows it. */
export const passcodeItem = (
  appId: string,
  passcode: PasscodeRecord,
  profile: ProfileRecord | undefined,
  now: EpochMs,
  devices: readonly DeviceItem[] = [],
): PasscodeItem => {
  const { id, seq, state: _, transit, earlier: __, ...shown } = passcode;
  const status = passcodeStatus(passcode, profile, now);
  const earlierAttempts = earlierOf(passcode, now);
  return {
    id,
    seq,
    appId,
    ...shown,
    ...(earlierAttempts > 0 && { earlierAttempts }),
    ...(transit && arrivalOf(transit)),
    status,
    devices: [...devices],
  };
};
