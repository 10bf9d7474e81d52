/**
 * A body for each operation that takes one, against the demo that a first start loads; shown in the OpenAPI text and in
 * the documentation.
 */
import type { OperationId } from "./routes.ts";
import type { JsonObject } from "./scalars.ts";

const ADA = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";

/** Bodies by operation. */
export const EXAMPLES: { readonly [K in OperationId]?: JsonObject } = {
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
  changeProfile: { testPasscode: "222222" },
  removeProfiles: { appId: "demo-app", userIds: [ADA] },
  sendPasscode: { appId: "demo-app", userId: ADA },
  addSession: { appId: "demo-app", userId: ADA, ttlSeconds: 60 },
  introspect: { token: "<ACCESS_TOKEN>" },
  addConnection: { appId: "demo-app", userId: ADA, name: "Calendar", managed: true },
  changeConnection: { status: "disabled" },
  writeState: {
    mode: "merge",
    state: { version: 1, apps: [{ appId: "demo-app", profiles: [{ phone: "+12025550125" }] }] },
  },
  setClock: { frozenAt: "2026-12-24T18:00:00Z" },
  advanceClock: { seconds: 601 },
  addFault: { match: { method: "POST", path: "/v1/users/session" }, effect: { status: 503 }, times: 2 },
};
