/** Probes of sessions: sign-up, codes, authentication (D20 to D32). Codes and wrong attempts: the given user only. */
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import type { Lab } from "./lab.ts";
import { type Observation, Unobservable } from "./observation.ts";
import type { Bench, Probe } from "./probe.ts";
import type { Reply } from "./service.ts";

/** Longer than any remaining lifetime, in seconds: 30 years. */
const LONGEST_TTL = 1e9;
/** UNIX milliseconds are above this, UNIX seconds below. */
const SECONDS_END = 1e11;

const unitOf = (expiration: unknown): Observation => {
  if (typeof expiration !== "number") return { other: `it is a ${typeof expiration}` };
  if (expiration < LONGEST_TTL) return { is: "ttl" };
  return { is: expiration < SECONDS_END ? "seconds" : "milliseconds" };
};

/** What the session probes have found so far. */
interface Known {
  strategy: "phone" | "email" | null;
  signUp: Reply | null;
}

const strategy = async (lab: Lab, known: Known): Promise<Observation> => {
  const { status, text } = await lab.service.session("POST", { appId: lab.service.appId, user: {} });
  const [phone, email] = [text.includes('"phone"'), text.includes('"email"')];
  if (phone !== email) known.strategy = phone ? "phone" : "email";
  return status === 422 && known.strategy !== null ? { is: true } : { other: `status ${status}` };
};

/** Signs up with the mark of this run, and a number that was free a moment ago. */
const signUp = async (lab: Lab, known: Known): Promise<Reply> => {
  if (known.signUp !== null) return known.signUp;
  if (known.strategy === null) throw new Unobservable("whether users sign in by phone or email is unknown");
  const { id, phone, email } = await lab.profile();
  await lab.delete(id);
  const user = { [known.strategy]: known.strategy === "phone" ? phone : email, name: lab.name("signed up") };
  const { reply } = await lab.making(() => lab.service.session("POST", { appId: lab.service.appId, user }));
  known.signUp = reply;
  return reply;
};

const signUpStatus = async (lab: Lab, known: Known): Promise<Observation> => {
  const { status } = await signUp(lab, known);
  if (status === 200 || status === 201) return { is: status };
  if (status === 403) throw new Unobservable("sign-up is closed");
  return { other: `status ${status}` };
};

const openSignUp = async (lab: Lab, known: Known): Promise<Observation> => {
  const { status } = await signUp(lab, known);
  if (status === 403) return { is: "closed" };
  return status === 200 || status === 201 ? { is: "open" } : { other: `status ${status}` };
};

const sessionIn = (reply: Reply): JsonObject => {
  if (reply.status > 201 || !isJsonObject(reply.body)) throw new Unobservable(`sign-up: status ${reply.status}`);
  return reply.body;
};

const extensions = async (lab: Lab, known: Known): Promise<Observation> => {
  const { token } = sessionIn(await signUp(lab, known));
  if (typeof token !== "string") throw new Unobservable("a session has no token");
  const { status } = await lab.service.session("GET", undefined, token);
  if (status === 200) return { is: true };
  return status === 405 || status === 404 ? { is: false } : { other: `status ${status}` };
};

const unknownApp = async (lab: Lab, known: Known): Promise<Observation> => {
  const user = { [known.strategy ?? "phone"]: known.strategy === "email" ? lab.freshEmail() : lab.freshPhone() };
  const { status } = await lab.service.session("POST", { appId: `no-app-${lab.run}`, user });
  return [401, 403, 404, 422].includes(status) ? { is: status } : { other: `status ${status}` };
};

/** Logs in as the given user. @throws Unobservable if there is none, or nobody reads the codes. */
const loginOf = ({ lab, username, readCode }: Bench) => {
  if (username === null) throw new Unobservable("it needs a user: --username");
  const { appId } = lab.service;
  const user = { [username.includes("@") ? "email" : "phone"]: username };
  return {
    /** Requests a code. @returns it. */
    code: async (): Promise<string> => {
      if (readCode === null) throw new Unobservable("it needs a code: --codes-from, or a terminal to type it in");
      const { reply } = await lab.making(() =>
        lab.service.session("POST", { appId, user: { ...user, name: lab.name() } }),
      );
      if (reply.status !== 202) throw new Unobservable(`no code is sent to ${username}: status ${reply.status}`);
      return await readCode();
    },
    type: (passcode: string): Promise<Reply> => lab.service.session("PUT", { appId, user, passcode }),
  };
};

/** @returns a code different from these. */
const wrongCode = (length: number, ...codes: readonly string[]): string => {
  for (let n = 1; ; n++) {
    const code = String(n * 111_111)
      .padStart(length, "0")
      .slice(-length);
    if (!codes.includes(code)) return code;
  }
};

const refusedStatus = async (bench: Bench): Promise<Observation> => {
  const login = loginOf(bench);
  const code = bench.readCode === null ? null : await login.code();
  const { status } = await login.type(wrongCode(code?.length ?? 6, code ?? ""));
  if (status < 300) throw new Unobservable("a wrong code signs in");
  return [401, 400, 403, 404, 422].includes(status) ? { is: status } : { other: `status ${status}` };
};

const previous = async (bench: Bench): Promise<Observation> => {
  const login = loginOf(bench);
  for (let tries = 0; tries < 3; tries++) {
    const [first, second] = [await login.code(), await login.code()];
    if (first === second) continue;
    const { status, retried } = await login.type(first);
    // A failed attempt may have used it up.
    if (retried) continue;
    return { is: status < 300 ? "valid" : "replaced" };
  }
  throw new Unobservable("every code is the same, or the connection failed in the middle");
};

/** @returns the probes, in order; they share their findings. */
export const sessionProbes = (): readonly Probe[] => {
  const known: Known = { strategy: null, signUp: null };
  const probe = (
    decision: string,
    setting: string | null,
    question: string,
    run: (lab: Lab, known: Known) => Promise<Observation>,
  ): Probe => ({ decision, setting, question, run: ({ lab }) => run(lab, known) });
  return [
    probe("D23", null, "Is a missing username a 422 that names it?", strategy),
    probe("D32", "signUp", "May new users sign up?", openSignUp),
    probe("D21", "wire.signUpStatus", "What is the status of a sign-up?", signUpStatus),
    probe("D28", "session.expiration", "In which unit is expiration?", async (lab, found) =>
      unitOf(sessionIn(await signUp(lab, found))["expiration"]),
    ),
    probe("D30", "sessionExtensions", "Can a session be read with its token?", extensions),
    probe("D27", "unknownAppStatus", "What is the status for an unknown app?", unknownApp),
    {
      decision: "D25",
      setting: "authenticate.refusedStatus",
      question: "What is the status of a wrong code?",
      run: refusedStatus,
    },
    {
      decision: "D24",
      setting: "passcode.previous",
      question: "Does an older code still sign in?",
      run: previous,
    },
  ];
};
