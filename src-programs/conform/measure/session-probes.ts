/** Probes of sessions: sign-up, codes, authentication (D20 to D32). Codes and wrong attempts: the given user only. */

import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { tokenAlgorithm } from "#contract/service/token-claims.ts";
import { Unobservable } from "./observation.ts";
import { type Bench, type Probe, probe, statusSeen } from "./probe.ts";
import { parsed, type Reply } from "./service.ts";

/** Longer than any remaining lifetime, in seconds: 30 years. */
const LONGEST_TTL = 1e9;
/** UNIX milliseconds are above this, UNIX seconds below. */
const SECONDS_END = 1e11;

/** @returns a new user by one of these, with what else a new profile needs. */
const newUser = ({ lab, found }: Bench, { phone, email }: Readonly<Record<"phone" | "email", string>>) => {
  const needed = Object.entries({ phone, email }).filter(
    ([field]) => field === (found.username ?? "phone") || found.required?.includes(field) === true,
  );
  return { ...Object.fromEntries(needed), name: lab.name("signed up") };
};

/** Signs up with the mark of this run and a number that was free a moment ago. */
const signUp = async (bench: Bench): Promise<Reply> => {
  const { lab, found } = bench;
  if (found.signUp !== undefined) return found.signUp;
  if (found.username === undefined) throw new Unobservable("whether users sign in by phone or email is unknown");
  const { id, ...own } = await lab.profile();
  await lab.delete(id);
  const { reply } = await lab.start(newUser(bench, own));
  found.signUp = reply;
  return reply;
};

const newSession = async (bench: Bench): Promise<JsonObject> => {
  const { status, body } = await signUp(bench);
  if (status > 201 || !isJsonObject(body)) throw new Unobservable(`sign-up: status ${status}`);
  return body;
};

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** @returns the bytes of base64url as characters. */
const decoded = (part: string): string => {
  const bits = [...part].map((one) => Math.max(0, BASE64URL.indexOf(one)).toString(2).padStart(6, "0")).join("");
  return (bits.match(/[01]{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join("");
};

/** @returns a part of a session's token: 0 the header, 1 the claims. @throws Unobservable if it is no JWT. */
const partOfToken = ({ token }: JsonObject, place: 0 | 1): JsonObject => {
  const part = typeof token === "string" ? parsed(decoded(token.split(".")[place] ?? "")) : undefined;
  if (isJsonObject(part)) return part;
  throw new Unobservable("the token is not a JWT");
};

/** Logs in as the given user. @throws Unobservable if there is none, or its codes cannot be read. */
const loginOf = ({ lab, found, username, readCode }: Bench) => {
  if (username === null) throw new Unobservable("it needs a user: --username");
  const { appId } = lab.service;
  const user = { [username.includes("@") ? "email" : "phone"]: username };
  return {
    /** Requests a code. @returns it. */
    code: async (): Promise<string> => {
      if (readCode === null) throw new Unobservable("it needs a code: --codes-from, or a terminal to enter it in");
      const ask = async () => (await lab.start({ ...user, name: lab.name() })).reply;
      const first = await ask();
      // The first request signs up a user who does not exist yet.
      const reply = first.status < 202 ? await ask() : first;
      if (reply.status !== 202) throw new Unobservable(`no code is sent to ${username}: status ${reply.status}`);
      const code = await readCode();
      found.codeLength = code.length;
      return code;
    },
    type: async (passcode: string): Promise<Reply> => {
      const reply = await lab.service.session("PUT", { appId, user, passcode });
      if (reply.status < 300) found.signedIn = reply.status;
      return reply;
    },
  };
};

/** @returns a code of the same length, six digits if it is unknown. */
const wrongCode = (right: string | null): string => {
  const length = right?.length ?? 6;
  const one = "1".repeat(length);
  const two = "2".repeat(length);
  return right === one ? two : one;
};

/** In order: earlier probes find what later ones need. */
export const SESSION_PROBES: readonly Probe[] = [
  probe("D23", null, "Is a missing username a 422 that names it?", async ({ lab, found }) => {
    const { status, text } = (await lab.start({ name: lab.name() })).reply;
    const phone = text.includes('"phone"');
    const email = text.includes('"email"');
    if (phone !== email) found.username = phone ? "phone" : "email";
    return status === 422 && found.username !== undefined ? { is: true } : { other: `status ${status}` };
  }),
  probe("D32", "signUp", "May new users sign up?", async (bench) => {
    const { status } = await signUp(bench);
    if (status === 403) return { is: "closed" };
    return status === 200 || status === 201 ? { is: "open" } : { other: `status ${status}` };
  }),
  probe("D21", "wire.signUpStatus", "What is the status of a sign-up?", async (bench) => {
    const reply = await signUp(bench);
    if (reply.status === 403) throw new Unobservable("sign-up is closed");
    return statusSeen(reply, 200, 201);
  }),
  probe("D28", "session.expiration", "In which unit is expiration?", async (bench) => {
    const { expiration } = await newSession(bench);
    if (typeof expiration !== "number") return { other: `it is a ${typeof expiration}` };
    if (expiration <= 0) return { other: `it is ${expiration}` };
    if (expiration < LONGEST_TTL) return { is: "ttl" };
    return { is: expiration < SECONDS_END ? "seconds" : "milliseconds" };
  }),
  probe("D28", "session.ttlSeconds", "How long does a session last?", async (bench) => {
    const session = await newSession(bench);
    const { expiration } = session;
    if (typeof expiration === "number" && expiration < LONGEST_TTL) return { is: expiration };
    const { iat, exp } = partOfToken(session, 1);
    if (typeof iat !== "number" || typeof exp !== "number") throw new Unobservable("the token has no times");
    return { is: exp - iat };
  }),
  probe("D29", "token.algorithm", "Which algorithm signs a token?", async (bench) => {
    const { alg } = partOfToken(await newSession(bench), 0);
    const known = tokenAlgorithm.safeParse(alg);
    return known.success ? { is: known.data } : { other: `the algorithm is ${JSON.stringify(alg)}` };
  }),
  probe("D30", "sessionExtensions", "Can a session be read with its token?", async (bench) => {
    const { token } = await newSession(bench);
    if (typeof token !== "string") throw new Unobservable("a session has no token");
    const { status } = await bench.lab.service.session("GET", undefined, token);
    if (status === 200) return { is: true };
    return status === 405 || status === 404 ? { is: false } : { other: `status ${status}` };
  }),
  probe("D27", "unknownAppStatus", "What is the status for an unknown app?", async (bench) => {
    const { lab } = bench;
    const user = newUser(bench, { phone: lab.freshPhone(), email: lab.freshEmail() });
    return statusSeen((await lab.start(user, `no-app-${lab.run}`)).reply, 401, 403, 404, 422);
  }),
  probe("D25", "authenticate.refusedStatus", "What is the status of a wrong code?", async (bench) => {
    const login = loginOf(bench);
    const code = bench.readCode === null ? null : await login.code();
    const reply = await login.type(wrongCode(code));
    if (reply.status < 300) throw new Unobservable("a wrong code signs in");
    return statusSeen(reply, 401, 400, 403, 404, 422);
  }),
  probe("D24", "passcode.previous", "Does an older code still sign in?", async (bench) => {
    const login = loginOf(bench);
    for (let tries = 0; tries < 3; tries++) {
      const first = await login.code();
      const second = await login.code();
      if (first === second) continue;
      const { status, retried } = await login.type(first);
      // A failed attempt may have used it up.
      if (retried) continue;
      if (status >= 300) await login.type(second);
      return { is: status < 300 ? "valid" : "replaced" };
    }
    throw new Unobservable("every code is the same, or the connection failed in the middle");
  }),
  probe("D24", "passcode.length", "How many digits has a code?", async ({ found }) => {
    if (found.codeLength === undefined) throw new Unobservable("no code was read");
    return { is: found.codeLength };
  }),
  probe("D21", "wire.authenticateStatus", "What is the status of a sign-in?", async ({ found }) => {
    if (found.signedIn === undefined) throw new Unobservable("no code signed in");
    return statusSeen({ status: found.signedIn }, 200, 201);
  }),
];
