/**
 * Records for the tests of the store, and a plain view of what it holds. Independent of the test runner: the torture
 * runs have none.
 */

import { epochMs, type IsoInstant, isoInstant } from "#contract/scalars.ts";
import type {
  AppRecord,
  ConnectionRecord,
  PasscodeRecord,
  ProfileRecord,
  SessionRecord,
} from "#contract/service/records.ts";
import { Changes, type Decision } from "#domain/decision.ts";
import type { World } from "#domain/world.ts";
import type { Later } from "#store/failure.ts";
import type { Beginning } from "#store/store.ts";

export const APP = "demo-app";
export const MAIL = "demo-mail";
export const AT: IsoInstant = isoInstant(epochMs(1_763_650_000_000));

/** A UUID that contains the number. */
export const uuid = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;

export const app = (seq: number, appId: string, more: Partial<AppRecord> = {}): AppRecord => ({
  appId,
  seq,
  name: appId,
  secret: `secret-${appId}`,
  strategy: "phone",
  settings: {},
  createdAt: AT,
  ...more,
});

export const profile = (seq: number, n: number, more: Partial<ProfileRecord> = {}): ProfileRecord => ({
  userId: uuid(n),
  seq,
  name: `Ada ${n}`,
  phone: `+1202555${n.toString().padStart(4, "0")}`,
  email: null,
  metadata: null,
  createdAt: AT,
  updatedAt: AT,
  ...more,
});

export const passcode = (
  seq: number,
  n: number,
  userId: string,
  more: Partial<PasscodeRecord> = {},
): PasscodeRecord => ({
  id: uuid(n),
  seq,
  userId,
  channel: "sms",
  to: "+12025550100",
  code: "123456",
  message: "Your code is 123456.",
  state: "active",
  delivery: "sent",
  attempts: 0,
  tried: [],
  requestId: null,
  createdAt: AT,
  expiresAt: AT,
  ...more,
});

export const session = (seq: number, n: number, userId: string, more: Partial<SessionRecord> = {}): SessionRecord => ({
  id: uuid(n),
  seq,
  userId,
  createdAt: AT,
  expiresAt: AT,
  revokedAt: null,
  device: null,
  requestId: null,
  issuer: "http://127.0.0.1:4011",
  audience: "http://127.0.0.1:4010",
  ...more,
});

export const connection = (seq: number, n: number, userId: string): ConnectionRecord => ({
  id: uuid(n),
  seq,
  userId,
  name: "calendar",
  managed: true,
  status: "connected",
  createdAt: AT,
  disabledAt: null,
});

export const KEY = { kty: "EC", crv: "P-256", kid: "test-key", x: "x", y: "y", d: "d" };

export const beginning = (): Promise<Beginning> =>
  Promise.resolve({
    key: KEY,
    fixtures: ["fixtures/demo.json"],
    *fill(world) {
      const changes = new Changes(world);
      yield undefined;
      changes.putApp(app(changes.seq, APP));
      changes.putApp(app(changes.seq, MAIL, { strategy: "email" }));
      return changes.decided(null);
    },
  });

/** Timers that never fire. */
export const never: Later = () => () => undefined;

/** A rule that adds profile number `n` to an app. */
export const addProfile =
  (n: number, more: Partial<ProfileRecord> = {}, appId = APP) =>
  (world: World): Decision<ProfileRecord> => {
    const changes = new Changes(world);
    return changes.decided(changes.put("profiles", appId, profile(changes.seq, n, more)));
  };

/** All content of a world, as plain data. */
export const contents = (world: World): unknown =>
  structuredClone({
    seq: world.seq,
    clock: world.clock,
    apps: world.apps.map(({ app, clock, profiles, passcodes, sessions, connections }) => ({
      ...{ app, clock, profiles, passcodes, sessions, connections },
    })),
  });
