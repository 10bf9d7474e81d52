/**
 * Generates `fixtures/qa-200.json`: 200 profiles of every unusual but valid shape, in a phone app and an email app.
 * Deterministic.
 */
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { type Strategy, usernameField } from "#contract/service/strategies.ts";
import { ODD_METADATA, spelled } from "./qa-metadata.ts";
import { ODD_NAMES } from "./qa-names.ts";
import { ODD_EMAILS, ODD_PHONES, type OddUsername } from "./qa-usernames.ts";

const PROFILES_OF_APP = 100;
const DAY_MS = 86_400_000;

/** A version 4 UUID determined by two numbers. */
const uuid = (kind: number, n: number): string => {
  let state = (kind * 1_000_003 + n * 7_919 + 0x9e3779b9) >>> 0;
  const hex = Array.from({ length: 32 }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return ((state >>> 13) & 15).toString(16);
  }).join("");
  const variant = "89ab".charAt(n % 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
};

const instant = (n: number): string => new Date(Date.UTC(2026, 0, 1, 8) + n * DAY_MS + n * 61_417).toISOString();

/** Unusual profiles as a whole, the same in both apps; `username` is filled in. */
const shapes = (username: () => JsonObject): readonly JsonObject[] => [
  {},
  {},
  { name: "Only a name" },
  { ...username() },
  { name: null, phone: null, email: null, metadata: null },
  { metadata: { only: "metadata" } },
  { ...username(), name: "Test passcode: leading zeros", testPasscode: "000000" },
  { ...username(), name: "Test passcode: descending", testPasscode: "654321" },
  { ...username(), name: "Test passcode: zeros in front", testPasscode: "000042" },
  { ...username(), name: "Test passcode: null", testPasscode: null },
  { ...username(), name: "Made in 1970", createdAt: "1970-01-01T00:00:00.000Z", updatedAt: "1970-01-01T00:00:00.000Z" },
  { ...username(), name: "Made in 9999", createdAt: "9999-12-31T23:59:59.999Z", updatedAt: "9999-12-31T23:59:59.999Z" },
  { ...username(), name: "Made on a leap day", createdAt: "2024-02-29T12:00:00.000Z" },
  {
    ...username(),
    name: "Updated before it was made",
    createdAt: "2026-06-01T00:00:00.000Z",
    updatedAt: "2026-05-01T00:00:00.000Z",
  },
  { ...username(), name: "Capitals in its id", userId: uuid(9, 1).toUpperCase() },
];

/** Connections of the first profiles with a username, which identifies them here. */
const connections = (kind: number, usernames: readonly string[]): readonly JsonObject[] => {
  const [first = "", second = "", third = ""] = usernames;
  return [
    { user: first, name: "Managed", managed: true },
    { user: first, name: "Not managed", managed: false },
    { user: first, name: "Managed by default" },
    {
      user: second,
      name: "Disabled",
      managed: true,
      status: "disabled",
      createdAt: instant(1),
      disabledAt: instant(9),
    },
    { user: second, name: "Disabled, not managed, no time", managed: false, status: "disabled" },
    { user: second, name: "Connected in so many words", status: "connected", disabledAt: null },
    { user: third, name: '🔌 <b>odd</b> "name" \u202ertl\u202c' },
    { user: third, name: "x".repeat(255), id: uuid(kind, 1001) },
    { user: third, name: "" },
    {
      userId: uuid(kind, 1002),
      name: "Of a profile that is gone",
      managed: true,
      status: "disabled",
      disabledAt: instant(20),
    },
  ];
};

/** What differs between the two apps. */
interface Plan {
  readonly kind: number;
  readonly strategy: Strategy;
  readonly odd: readonly OddUsername[];
  readonly ordinary: (n: number) => string;
  /** The field that is not the username, shared by several profiles. */
  readonly shared: JsonObject;
  readonly names: readonly string[];
  readonly metadata: readonly (typeof ODD_METADATA)[number][];
}

const profiles = (plan: Plan): readonly JsonObject[] => {
  let used = 0;
  const username = (): JsonObject => ({ [usernameField(plan)]: plan.ordinary(used++) });
  const all: JsonObject[] = [
    ...shapes(username),
    ...plan.odd.map((one) => ({ name: one.name, [usernameField(plan)]: one.username })),
    ...["first", "second", "third"].map((nth) => ({ name: `Shares a field, ${nth}`, ...username(), ...plan.shared })),
    ...plan.names.map((name) => ({ name, ...username() })),
    ...plan.metadata.map(({ name, metadata }) => ({ name, ...username(), metadata })),
  ];
  return all.map((profile, i) =>
    Object.keys(profile).length === 0
      ? profile
      : { userId: uuid(plan.kind, i), ...profile, createdAt: profile["createdAt"] ?? instant(i) },
  );
};

const app = (appId: string, name: string, secret: string, plan: Plan): JsonObject => {
  const all = profiles(plan);
  if (all.length !== PROFILES_OF_APP) throw new Error(`${appId} has ${all.length} profiles, not ${PROFILES_OF_APP}.`);
  const usernames = all.map((profile) => profile[usernameField(plan)]).filter((value) => typeof value === "string");
  return {
    appId,
    name,
    secret,
    strategy: plan.strategy,
    createdAt: instant(0),
    profiles: [...all],
    connections: [...connections(plan.kind, usernames)],
  };
};

/** Splits names or metadata between the two apps. */
const split = <T>(all: readonly T[], first: number): readonly [readonly T[], readonly T[]] => [
  all.slice(0, first),
  all.slice(first),
];

/** @returns the world as a value. */
const world = (): JsonObject => {
  const [phoneNames, mailNames] = split(ODD_NAMES, 42);
  const [phoneMetadata, mailMetadata] = split(ODD_METADATA, 26);
  const phone: Plan = {
    kind: 1,
    strategy: "phone",
    odd: ODD_PHONES,
    ordinary: (n) => `+1202555${String(100 + n).padStart(4, "0")}`,
    shared: { email: "shared@example.com" },
    names: phoneNames,
    metadata: phoneMetadata,
  };
  const mail: Plan = {
    kind: 2,
    strategy: "email",
    odd: ODD_EMAILS,
    ordinary: (n) => `qa${String(n).padStart(3, "0")}@example.${["com", "org", "net"][n % 3] ?? "com"}`,
    shared: { phone: "+12025550199" },
    names: mailNames,
    metadata: mailMetadata,
  };
  return {
    $schema: "./schema.json",
    version: 1,
    apps: [
      app("qa-phone", "QA Phone", "sk_local_qa_phone", phone),
      app("qa-mail", "QA Mail", "sk_local_qa_mail", mail),
    ],
  };
};

/** Characters that editors hide, or display in a misleading order. */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u00a0\ufffe\uffff]/gu;
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");

/** @returns the world as JSON text, with invisible characters escaped. */
export const qaWorldText = (): string => {
  const value: JsonValue = world();
  return spelled(JSON.stringify(value).replace(HIDDEN, escaped));
};
