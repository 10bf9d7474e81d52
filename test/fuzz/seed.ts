/** The state before each fuzzed request: known ids, so that requests hit existing records. */
import type { JsonObject } from "#contract/scalars.ts";

const uuid = (n: number): string => `0b5e11ed-0000-4000-8000-${String(n).padStart(12, "0")}`;
const AT = "2026-01-01T00:00:00.000Z";

/** A word in every text of the app whose data must stay private. */
export const FOREIGN = "foreignmarker";
/** Existing ids. */
export const ID = {
  ann: uuid(1),
  bob: uuid(2),
  cy: uuid(3),
  mail: uuid(11),
  foreign: uuid(21),
  witness: uuid(31),
  missing: uuid(99),
} as const;
/** Secrets of the apps. */
export const SECRET = {
  fuzz: "sk_fuzz",
  lenient: "sk_fuzz_lenient",
  mail: "sk_fuzz_mail",
  foreign: "sk_foreign",
  witness: "sk_witness",
} as const;
/** The code that always works for Ann. */
export const TEST_PASSCODE = "123456";
/** Placeholder in a request for a session token, which is signed anew at each start. */
export const TOKEN = "@token@";
/** Placeholder in a path for the newest row of the request log. */
export const REQUEST = "@request@";
/** Existing usernames: of Ann and Bob, and of the user of the email app. */
export const PHONES = ["+12025550201", "+12025550202"] as const;
/** @see PHONES */
export const EMAIL = "mail@example.com";

const profile = (userId: string, more: JsonObject): JsonObject => ({ userId, createdAt: AT, updatedAt: AT, ...more });

/** The ids of a profile's volatile records are its own with another prefix. */
const derived = (kind: string, userId: string): string => userId.replace(/^.{8}/, kind);
/** @returns the ids of a profile's passcode, session and connection. */
export const idsOf = (userId: string) => ({
  passcode: derived("0ca55c0d", userId),
  session: derived("05e55105", userId),
  connection: derived("0c011ec7", userId),
});

const volatile = (userId: string, to: string): JsonObject => ({
  connections: [{ id: idsOf(userId).connection, userId, name: "Calendar", createdAt: AT }],
  passcodes: [
    {
      id: idsOf(userId).passcode,
      seq: 1,
      userId,
      channel: "sms",
      to,
      code: TEST_PASSCODE,
      message: `Your code is ${TEST_PASSCODE}.`,
      state: "active",
      delivery: "sent",
      attempts: 0,
      tried: [],
      requestId: null,
      createdAt: AT,
      expiresAt: "2099-01-01T00:00:00.000Z",
    },
  ],
  sessions: [
    {
      id: idsOf(userId).session,
      seq: 2,
      userId,
      createdAt: AT,
      expiresAt: "2099-01-01T00:00:00.000Z",
      revokedAt: null,
      device: null,
      requestId: null,
      issuer: "http://127.0.0.1",
      audience: "http://127.0.0.1",
    },
  ],
});

/** The state in the format of PUT state. */
export const SEED: JsonObject = {
  version: 1,
  apps: [
    {
      appId: "fuzz-app",
      secret: SECRET.fuzz,
      strategy: "phone",
      profiles: [
        profile(ID.ann, { name: "Ann", phone: PHONES[0], testPasscode: TEST_PASSCODE, metadata: { plan: "pro" } }),
        profile(ID.bob, { name: "Bob", phone: PHONES[1], email: "bob@example.com" }),
        profile(ID.cy, { name: null }),
      ],
      ...volatile(ID.ann, PHONES[0]),
    },
    {
      appId: "fuzz-mail",
      secret: SECRET.mail,
      strategy: "email",
      settings: { sessionExtensions: true },
      profiles: [profile(ID.mail, { name: "Mail", email: EMAIL, testPasscode: TEST_PASSCODE })],
      ...volatile(ID.mail, EMAIL),
    },
    { appId: "fuzz-lenient", secret: SECRET.lenient, settings: { validation: "lenient" } },
    {
      appId: "foreign-app",
      name: FOREIGN,
      secret: SECRET.foreign,
      strategy: "phone",
      profiles: [profile(ID.foreign, { name: FOREIGN, phone: "+12025550301", metadata: { [FOREIGN]: FOREIGN } })],
      ...volatile(ID.foreign, "+12025550301"),
    },
    {
      appId: "witness-app",
      secret: SECRET.witness,
      strategy: "phone",
      profiles: [profile(ID.witness, { name: "Witness" })],
    },
  ],
};
