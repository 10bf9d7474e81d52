/** What must not be accessible: with wrong credentials, by an unsupported method, after a deletion. */
import fc from "fast-check";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import type { Received, Sent } from "#test/hosts/send.ts";
import { answerFaults, type Finding, found } from "./checks.ts";
import { type Described, OPERATIONS, operation } from "./operations.ts";
import { EMAIL, ID, idsOf, SECRET, TEST_PASSCODE, TOKEN } from "./seed.ts";
import { type Shot, validShot } from "./shots.ts";
import type { Target } from "./target.ts";

/** Headers that do not authenticate on admin. */
const NO_CREDENTIALS: readonly Sent["headers"][] = [
  {},
  ...[
    "",
    "Bearer",
    "Bearer ",
    `Bearer ${SECRET.fuzz}x`,
    `Bearer ${SECRET.fuzz} x`,
    `Basic ${Buffer.from(`${SECRET.fuzz}:`).toString("base64")}`,
    SECRET.fuzz,
    `Token ${SECRET.fuzz}`,
    "Bearer __proto__",
    "Bearer fuzz-app",
    `Bearer ${TOKEN}`,
    `Bearer ${SECRET.fuzz.toUpperCase()}`,
  ].map((value) => ({ Authorization: value })),
  { Authorization: [`Bearer ${SECRET.fuzz}`, `Bearer ${SECRET.fuzz}`] },
  { "X-Authorization": `Bearer ${SECRET.fuzz}`, Cookie: `secret=${SECRET.fuzz}` },
];

/** Requests without a usable secret to operations that need one: always 401. */
export const unauthorized: fc.Arbitrary<Shot> = fc
  .tuple(fc.oneof(...OPERATIONS.filter((one) => one.needsSecret).map(validShot)), fc.constantFrom(...NO_CREDENTIALS))
  .map(([shot, headers]) => {
    const { Authorization: _, ...others } = shot.headers;
    // Not "valid": the 401 precedes whatever the body would be rejected for.
    return { ...shot, kind: "violating", label: "no usable secret", headers: { ...others, ...headers } };
  });

/** @returns whether a request without a usable secret got anything but a 401 with its challenge. */
export const authFaults = async (target: Target, shot: Shot): Promise<readonly Finding[]> => {
  await target.reseed();
  const answer = await target.fire(shot.listener, shot);
  const challenged = answer.status === 401 && answer.headers["www-authenticate"] === "Bearer";
  return [
    ...(challenged ? [] : found("auth ignored", `${answer.status} ${answer.text.slice(0, 300)}`)),
    ...(await target.probe(shot)),
  ];
};

/** Requests of the app with another app's ids, and lists: they must not reveal the others' data. */
export const ofAnotherApp: fc.Arbitrary<Shot> = fc
  .tuple(
    fc.constantFrom("retrieveProfile", "updateProfile", "deleteProfile").map(operation),
    fc.constantFrom(ID.foreign, ID.mail, ID.witness, ID.foreign.toUpperCase()),
    fc.constantFrom({}, { name: "taken over" }),
  )
  .map(([of, userId, body]) => ({
    operation: of,
    listener: of.listener,
    method: of.method,
    target: of.path.replace("{userId}", userId),
    headers: { Authorization: `Bearer ${SECRET.fuzz}`, "Content-Type": "application/json" },
    ...(of.body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    kind: "violating",
    label: "an id of another app",
    status: 404,
  }));

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "PURGE", "M-SEARCH"];

const methodsOf = (same: readonly Described[]): readonly string[] =>
  same.filter((one) => !one.answers.has(405)).flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));

/** Each path with each unsupported method, and the expected `Allow`. */
export const unsupported = (known: readonly string[]): readonly { readonly shot: Shot; readonly allow: string }[] =>
  [...new Set(OPERATIONS.map(({ listener, path }) => `${listener} ${path}`))].flatMap((key) => {
    const same = OPERATIONS.filter(({ listener, path }) => `${listener} ${path}` === key);
    const [first] = same;
    if (first === undefined) return [];
    const allow = [...methodsOf(same)].sort().join(", ");
    const target = first.path
      .replace("{userId}", ID.ann)
      .replace("{appId}", "fuzz-app")
      .replace("{id}", idsOf(ID.ann).passcode);
    return METHODS.filter((method) => known.includes(method) && !same.some((one) => one.method === method)).map(
      (method) => ({
        allow,
        shot: {
          listener: first.listener,
          method,
          target,
          headers: { Authorization: `Bearer ${SECRET.fuzz}` },
          kind: "hostile" as const,
          label: "a method that the path has not",
          status: 405,
        },
      }),
    );
  });

/** @returns what is wrong with the response to an unsupported method. */
export const methodFaults = async (
  target: Target,
  { shot, allow }: { readonly shot: Shot; readonly allow: string },
): Promise<readonly Finding[]> => {
  const answer = await target.fire(shot.listener, shot);
  const said = String(answer.headers.allow).split(", ").sort().join(", ");
  return [
    ...answerFaults(shot, answer),
    ...(answer.status === 405 && said === allow
      ? []
      : found("method", `${answer.status} Allow: ${said}, not ${allow}`)),
  ];
};

/** Ways to remove the mail app's user, by what has to be gone afterwards. */
type Ending = "profile" | "app" | "session" | "passcode" | "connection";
/** How something is deleted: method and target on a listener, and the body if any. */
export interface Deletion {
  readonly what: Ending;
  readonly listener: "admin" | "console";
  readonly method: string;
  readonly target: string;
  readonly body?: JsonObject;
}

const V1 = "/emulator/v1";
const its = idsOf(ID.mail);
const deletion = (what: Ending, method: string, target: string, body?: JsonObject): Deletion => ({
  what,
  listener: target.startsWith("/v1") ? "admin" : "console",
  method,
  target: target.startsWith("/v1") ? target : `${V1}${target}`,
  ...(body === undefined ? {} : { body }),
});
/** All of them. */
export const DELETIONS: readonly Deletion[] = [
  deletion("profile", "DELETE", `/v1/profiles/${ID.mail}`),
  deletion("profile", "DELETE", `/profiles/${ID.mail}`),
  deletion("profile", "DELETE", `/profiles/${ID.mail.toUpperCase()}?appId=fuzz-mail`),
  deletion("profile", "POST", "/profiles/delete", { appId: "fuzz-mail", userIds: [ID.mail, ID.missing] }),
  deletion("profile", "PUT", "/state?appId=fuzz-mail", {
    mode: "replace",
    state: { version: 1, apps: [{ appId: "fuzz-mail", secret: SECRET.mail, strategy: "email" }] },
  }),
  deletion("profile", "DELETE", "/state?appId=fuzz-mail"),
  deletion("app", "DELETE", "/apps/fuzz-mail"),
  deletion("app", "PUT", "/state", { mode: "replace", state: { version: 1, apps: [] } }),
  deletion("app", "DELETE", "/state"),
  deletion("session", "DELETE", `/sessions/${its.session}`),
  deletion("session", "DELETE", "/sessions?appId=fuzz-mail"),
  deletion("session", "DELETE", `/sessions?userId=${ID.mail}`),
  deletion("passcode", "DELETE", "/passcodes?appId=fuzz-mail"),
  deletion("passcode", "DELETE", "/passcodes"),
  deletion("connection", "DELETE", `/connections/${its.connection}`),
];

type WithSecret = readonly ["admin", string, string, JsonValue | undefined, string];

/** What a look-up after the deletion must return. */
interface After {
  readonly of: readonly Ending[];
  readonly sent: readonly [Shot["listener"], string, string, JsonValue?, string?] | WithSecret;
  readonly right: (answer: Received) => boolean;
}
const gone = ({ status }: Received): boolean => status === 404;
const refused = ({ status }: Received): boolean => status === 401;
const inactive = ({ status, text }: Received): boolean =>
  status === 200 && /^\{"active":false,"reason":"[a-z_]+"\}$/.test(text);
const login = { appId: "fuzz-mail", user: { email: EMAIL }, passcode: TEST_PASSCODE };

const AFTER: readonly After[] = [
  ...["GET", "PUT", "DELETE"].map((method) => ({
    of: ["profile"] as const,
    sent: ["admin", method, `/v1/profiles/${ID.mail}`, method === "PUT" ? {} : undefined, SECRET.mail] as const,
    right: gone,
  })),
  { of: ["app"], sent: ["admin", "GET", "/v1/profiles", undefined, SECRET.mail], right: refused },
  { of: ["app"], sent: ["console", "GET", `${V1}/apps/fuzz-mail`], right: gone },
  { of: ["app", "profile"], sent: ["console", "GET", `${V1}/profiles/${ID.mail}`], right: gone },
  { of: ["app", "profile"], sent: ["auth", "PUT", "/v1/users/session", login], right: refused },
  { of: ["app", "profile", "passcode"], sent: ["console", "GET", `${V1}/passcodes/${its.passcode}`], right: gone },
  {
    of: ["app", "profile", "passcode"],
    sent: ["console", "POST", `${V1}/passcodes/${its.passcode}/expire`],
    right: gone,
  },
  { of: ["app", "profile"], sent: ["console", "GET", `${V1}/sessions/${its.session}`], right: gone },
  { of: ["app", "profile"], sent: ["console", "GET", `${V1}/sessions/${its.session}/token`], right: gone },
  { of: ["app", "connection"], sent: ["console", "GET", `${V1}/connections/${its.connection}`], right: gone },
  {
    of: ["app", "profile", "session"],
    sent: ["console", "POST", `${V1}/sessions/introspect`, { token: TOKEN }],
    right: inactive,
  },
  {
    of: ["app", "profile"],
    sent: ["console", "POST", `${V1}/sessions`, { appId: "fuzz-mail", userId: ID.mail }],
    right: ({ status }) => status === 404 || status === 422,
  },
];

/** @returns what still works after a deletion. */
export const deletionFaults = async (
  target: Target,
  { what, listener, method, target: path, body }: Deletion,
): Promise<readonly Finding[]> => {
  await target.reseed();
  const active = await target.call("console", "POST", `${V1}/sessions/introspect`, { token: TOKEN });
  if (!active.text.includes('"active":true')) return found("valid data rejected", `the session: ${active.text}`);
  const { status, text } = await target.call(
    listener,
    method,
    path,
    body,
    listener === "admin" ? SECRET.mail : undefined,
  );
  if (status >= 300) return found("valid data rejected", `${method} ${path}: ${status} ${text}`);
  const faults: Finding[] = [];
  for (const { sent, right } of AFTER.filter((one) => one.of.includes(what))) {
    const [on, how, where, json, secret] = sent;
    const answer = await target.call(on, how, where, json, secret);
    if (!right(answer))
      faults.push(...found("used after deletion", `${sent.slice(0, 3).join(" ")}: ${answer.status} ${answer.text}`));
  }
  return faults;
};
