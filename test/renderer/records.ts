/** Records of one login in the demo app, as the control API returns them. */
import type { App, Passcode, Profile, RequestRow, Session } from "#client/index.ts";
import { isoInstantText } from "#contract/scalars.ts";
import { isObject } from "#contract/service/wire-body.ts";

/** @returns an instant from its text. */
export const instant = (text: string) => isoInstantText.parse(text);

const AT = instant("2026-01-31T12:00:10.000Z");

/** An app with default settings. */
const APP: App = {
  appId: "demo-app",
  name: "Demo",
  secret: "s",
  strategy: "phone",
  settings: {},
  createdAt: AT,
  counts: { profiles: 0, passcodes: 0, sessions: 0, connections: 0 },
};

/** A row of the request log: a rejected login without a body. */
export const ROW: RequestRow = {
  id: "r1",
  at: AT,
  listener: "auth",
  scheme: "http",
  method: "PUT",
  path: "/v1/users/session",
  status: 401,
  reason: null,
  check: null,
  decision: null,
  fault: null,
  repeats: null,
  appId: "demo-app",
  userId: "u1",
  login: null,
  durationMs: 1,
  ignoredFields: [],
  warnings: [],
  advice: [],
  remote: null,
  request: { headers: {}, body: null },
  response: { headers: {}, body: null },
};

/** A code that nobody has typed yet. */
export const PASSCODE: Passcode = {
  id: "11111111-1111-4111-8111-111111111111",
  seq: 1,
  appId: "demo-app",
  userId: "u1",
  channel: "sms",
  to: "+12025550100",
  code: "482917",
  message: "482917",
  status: "active",
  delivery: "sent",
  devices: [],
  attempts: 0,
  tried: [],
  requestId: null,
  createdAt: AT,
  expiresAt: AT,
};

/** A user without data. */
export const PROFILE: Profile = {
  appId: "demo-app",
  userId: "u1",
  name: null,
  phone: "+12025550100",
  email: null,
  metadata: null,
  testPasscode: null,
  scenario: null,
  createdAt: AT,
  updatedAt: AT,
};

/** An active session. */
export const SESSION: Session = {
  id: "22222222-2222-4222-8222-222222222222",
  seq: 1,
  appId: "demo-app",
  userId: "u1",
  state: "active",
  device: null,
  requestId: null,
  createdAt: AT,
  expiresAt: AT,
  revokedAt: null,
};

/** A request with these bodies. */
export const requestRow = (
  change: Partial<RequestRow> = {},
  body: unknown = undefined,
  answer: unknown = undefined,
): RequestRow => ({
  ...ROW,
  login: isObject(body) ? { id: ROW.id, to: "+12025550100", typed: String(body["passcode"] ?? "") } : null,
  request: { headers: {}, body: JSON.stringify(body) ?? null },
  response: { headers: {}, body: JSON.stringify(answer) ?? null },
  ...change,
});

/** The app with settings. */
export const appWith = (settings: App["settings"] = {}): App => ({ ...APP, settings });
