/**
 * The fuzzed server and what surrounds each request: the same state before it, and afterwards a check of what it
 * changed and whether a harmless write still works.
 */
import { Agent } from "node:http";
import type { Listener } from "#contract/control/routes.ts";
import type { JsonValue } from "#contract/scalars.ts";
import { type Received, type Sent, send } from "#test/hosts/send.ts";
import { answerFaults, type Finding, found } from "./checks.ts";
import { ID, idsOf, REQUEST, SECRET, SEED, TOKEN } from "./seed.ts";
import type { Shot } from "./shots.ts";

/** A server under test. */
export interface Target {
  /** How many requests were sent, including those around the fuzzed ones. */
  readonly sent: number;
  /** Sends a request; `@token@` becomes the token of an active session, `@request@` the newest row of the log. */
  fire(listener: Listener, sent: Sent): Promise<Received>;
  /** A call by a client that sends JSON. @param secret of the app, on admin. */
  call(
    listener: Listener,
    method: string,
    target: string,
    body?: JsonValue | undefined,
    secret?: string | undefined,
  ): Promise<Received>;
  /** Sends a request to the seeded state. @returns everything that is wrong. */
  probe(shot: Shot): Promise<readonly Finding[]>;
  /** Restores the seeded state if something has changed. */
  reseed(): Promise<void>;
  close(): void;
}

/** Refusals that are recorded: a passcode attempt is counted (D24). */
const COUNTED: ReadonlySet<string> = new Set(["passcode_mismatch", "passcode_replaced", "passcode_exhausted"]);

const TIMEOUT_MS = 30_000;

const JSON_TYPE = { "Content-Type": "application/json" };

/** @param urls of the three listeners. */
export const createTarget = (urls: Readonly<Record<Listener, string>>): Target => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let sent = 0;
  let token: string | undefined;
  let newestRow: string = ID.missing;
  let innocent = 0;
  let seededAt: number | undefined;

  const fire: Target["fire"] = async (listener, { headers, body, target, ...rest }) => {
    sent++;
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        typeof value === "string" ? value.replace(TOKEN, token ?? "none") : value,
      ]),
    );
    const bytes =
      body?.includes(TOKEN) === true ? Buffer.from(body.toString().replaceAll(TOKEN, token ?? "none")) : body;
    const aimed = { ...rest, target: target.replace(REQUEST, newestRow), headers: filled };
    const answer = await send(agent, urls[listener], bytes ? { ...aimed, body: bytes } : aimed, TIMEOUT_MS);
    newestRow = String(answer.headers["emulator-request-id"] ?? newestRow);
    return answer;
  };
  const call: Target["call"] = (listener, method, target, body, secret) =>
    fire(listener, {
      method,
      target,
      headers: {
        ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
        ...(body === undefined ? {} : JSON_TYPE),
      },
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    });
  const seq = async (): Promise<number> => JSON.parse((await call("console", "GET", "/emulator/v1/status")).text).seq;

  const reseed = async (): Promise<void> => {
    if (seededAt !== undefined && (await seq()) === seededAt) return;
    const put = await call("console", "PUT", "/emulator/v1/state", { mode: "replace", state: SEED });
    if (put.status !== 200) throw new Error(`the world could not be put back: ${put.status} ${put.text}`);
    if (token === undefined) {
      const { session } = idsOf(ID.mail);
      token = JSON.parse((await call("console", "GET", `/emulator/v1/sessions/${session}/token`)).text).token;
    }
    seededAt = await seq();
  };

  const write = async (): Promise<Finding[]> => {
    const name = `innocent ${innocent++}`;
    const { status, text } = await call("admin", "PUT", `/v1/profiles/${ID.witness}`, { name }, SECRET.witness);
    return status === 200 && text.includes(name) ? [] : found("next write fails", `${status} ${text.slice(0, 200)}`);
  };

  const changeFaults = async (shot: Shot, answer: Received, before: number): Promise<Finding[]> => {
    const after = await seq();
    if (after === before) return [];
    const reason = answer.headers["emulator-reason"];
    const mayChange = shot.method !== "GET" && (answer.status < 400 || COUNTED.has(String(reason)));
    return mayChange ? [] : found("state changed", `${shot.method} ${answer.status}: seq ${before} became ${after}`);
  };

  const probe: Target["probe"] = async (shot) => {
    await reseed();
    const before = seededAt ?? 0;
    let answer: Received;
    try {
      answer = await fire(shot.listener, shot);
    } catch (error) {
      return found("no response", String(error));
    }
    const faults = [...answerFaults(shot, answer), ...(await changeFaults(shot, answer, before))];
    // A success may have replaced the whole state, including the witness.
    if (answer.status < 400) await reseed();
    // A fault that was added would hit the next request of this run.
    if (shot.target.includes("/faults")) await call("console", "DELETE", "/emulator/v1/faults");
    faults.push(...(await write()));
    if (answer.status >= 400) seededAt = await seq();
    return faults;
  };

  return {
    get sent() {
      return sent;
    },
    fire,
    call,
    probe,
    reseed,
    close: () => agent.destroy(),
  };
};
