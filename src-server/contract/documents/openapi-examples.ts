/** Examples of bodies and parameters: each works after a start with the demo data. */
import { featureExamples } from "#features/parts.ts";
import type { JsonObject, JsonValue } from "../scalars.ts";

/** The first user of the demo app. */
export const ADA = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";

/** Users of the demo app that examples delete, so that the other examples still find theirs. */
const GRACE = "91b7a6de-5c3c-4d0f-b1a9-6f2e8c4d0a02";
const SAKURA = "5e2a9c70-b4d8-4f17-a2c6-7d90e1f30a04";

/** An example body for each operation that takes one, based on the demo data; also used in the docs. */
export const EXAMPLES: Readonly<Record<string, JsonObject>> = {
  createProfile: {
    name: "Marie Curie",
    phone: "+12025550123",
    email: "marie@example.com",
    metadata: { plan: "pro", favorite_color: "green" },
  },
  updateProfile: { metadata: { plan: "team" } },
  startSession: { appId: "demo-app", user: { phone: "+12025550100" } },
  authenticate: { appId: "demo-app", user: { phone: "+12025550100" }, passcode: "123456" },
  createApp: { name: "Checkout tests", strategy: "email", settings: { passcode: { length: 4, fixed: "0000" } } },
  updateApp: { settings: { signUp: "closed" } },
  addProfile: { appId: "demo-app", name: "Test user", phone: "+12025550124", testPasscode: "111111" },
  provideProfile: { appId: "demo-app", name: "Test user", phone: "+12025550124" },
  changeProfile: { testPasscode: "222222" },
  removeProfiles: { appId: "demo-app", userIds: [SAKURA] },
  sendPasscode: { appId: "demo-app", userId: ADA },
  addSession: { appId: "demo-app", userId: ADA, ttlSeconds: 60 },
  introspect: { token: "<ACCESS_TOKEN>" },
  signToken: { defect: "wrongAudience" },
  addConnection: { appId: "demo-app", userId: ADA, name: "Calendar", managed: true },
  changeConnection: { status: "disabled" },
  clearRequests: { ids: [ADA] },
  resendRequest: { headers: { "x-trace": "again" }, body: '{"name":"Marie Curie"}' },
  writeState: {
    mode: "merge",
    state: { version: 1, apps: [{ appId: "demo-app", profiles: [{ phone: "+12025550125" }] }] },
  },
  setClock: { frozenAt: "2026-12-24T18:00:00Z" },
  advanceClock: { seconds: 601 },
  ...featureExamples,
};

/** Examples of query parameters by name. */
const OF_QUERIES: Readonly<Record<string, JsonValue>> = {
  appId: "demo-app",
  userId: ADA,
  to: "+12025550100",
  q: "ada",
  sort: "-createdAt",
  page: 1,
  pageNumber: 1,
  offset: 0,
  perPage: 20,
  pageSize: 20,
  limit: 20,
  state: "active",
  after: "latest",
  before: 1_000_000,
  requestId: "latest",
  since: ADA,
  unread: "1",
  wait: "1s",
  listener: "auth",
  method: "POST",
  path: "/v1/users/session",
  reason: "passcode_mismatch",
  login: "latest",
  trace: "4bf92f3577b34da6a3ce929d0e0e4736",
  lastEventId: "0-0",
  locale: "en",
  by: "console",
};

/** Examples of one operation, where that of the name does not fit. */
const OF_OPERATIONS: Readonly<Record<string, JsonValue>> = {
  "deleteApp.appId": "demo-mail",
  "removeProfile.userId": GRACE,
  "deleteProfile.userId": GRACE,
  "listPasscodes.status": "active",
  "latestPasscode.status": "active",
  "listRequests.status": 401,
  "latestPasscode.after": "0",
  "searchProfiles.after": ADA,
};

/** @param byDefault where no other is known. @returns the example of a parameter. */
export const exampleOf = (operation: string, parameter: string, byDefault?: JsonValue): { example?: JsonValue } => {
  const example = OF_OPERATIONS[`${operation}.${parameter}`] ?? byDefault ?? OF_QUERIES[parameter];
  return example === undefined ? {} : { example };
};
