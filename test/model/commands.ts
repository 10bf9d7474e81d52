/** The actions of the model test: each runs against the emulator and the reference, and compares them. */
import fc from "fast-check";
import { expect } from "vitest";
import type { Clients } from "#test/hosts/client.ts";
import type { Reference } from "./reference.ts";

/** The emulator under test. */
export interface Real extends Clients {
  /** Moves the service's clock. */
  advance(seconds: number): void;
  /** Stops the server cleanly and restarts it on the same data. */
  restart(): Promise<void>;
}

type Step = fc.AsyncCommand<Reference, Real>;

const APP = "demo-app";
const FRESH = ["+12025550190", "+12025550191"] as const;
const phone = fc.constantFrom(...FRESH);
const PATH = "/v1/users/session";

const step = (
  name: string,
  run: (model: Reference, real: Real) => Promise<void>,
  check: (model: Reference) => boolean = () => true,
): Step => ({
  check,
  run,
  toString: () => name,
});

const post = (to: string): Step =>
  step(`post(${to})`, async (model, { auth, code }) => {
    const known = model.users.has(to);
    const reply = await auth("POST", PATH, { appId: APP, user: { phone: to } });
    expect(reply.status).toBe(known ? 202 : 200);
    if (known) model.send(to, await code(to, APP));
    else model.signUp(to, reply.json.userId, reply.json.token);
  });

const submit = (to: string, pick: (codes: readonly string[]) => string | undefined, name: string): Step =>
  step(`${name}(${to})`, async (model, { auth }) => {
    const codes = model.users.get(to)?.codes.map((c) => c.code) ?? [];
    const typed = pick(codes) ?? "not a code";
    const reply = await auth("PUT", PATH, { appId: APP, user: { phone: to }, passcode: typed });
    const reason = model.submit(to, typed);
    expect({ status: reply.status, reason: reply.reason }).toEqual(
      reason === undefined ? { status: 200, reason: null } : { status: 401, reason },
    );
    if (reason === undefined) model.begin(to, reply.json.token);
  });

const expire = (to: string): Step =>
  step(`expire(${to})`, async (model, { control }) => {
    const { items } = (await control("GET", `/passcodes?to=${encodeURIComponent(to)}&limit=1`)).json;
    // The list separates the codes of a deleted user from those of its successor by userId.
    if (items.length === 0 || items[0].userId !== model.users.get(to)?.userId) return;
    expect((await control("POST", `/passcodes/${items[0].id}/expire`)).status).toBe(200);
    model.expireCode(to);
  });

const revoke = (to: string): Step =>
  step(
    `revoke(${to})`,
    async (model, { control }) => {
      const user = model.users.get(to);
      const { items } = (await control("GET", `/sessions?appId=${APP}&userId=${user?.userId}&limit=1`)).json;
      expect((await control("DELETE", `/sessions/${items[0].id}`)).status).toBe(204);
      const newest = user?.sessions.at(-1);
      if (newest !== undefined) newest.revoked = true;
    },
    (model) => (model.users.get(to)?.sessions.length ?? 0) > 0,
  );

const remove = (to: string): Step =>
  step(
    `delete(${to})`,
    async (model, { admin }) => {
      expect((await admin("DELETE", `/v1/profiles/${model.users.get(to)?.userId}`)).status).toBe(204);
      model.remove(to);
    },
    (model) => model.users.has(to),
  );

const advance = (seconds: number): Step =>
  step(`advance(${seconds} s)`, async (model, real) => {
    real.advance(seconds);
    model.now += seconds;
  });

const restart = (): Step => step("restart", (_model, real) => real.restart());

/** After any sequence, each token is as active as the reference says. */
const introspectAll = (): Step =>
  step("introspect all", async (model, { control }) => {
    const active = async (token: string): Promise<boolean> =>
      (await control("POST", "/sessions/introspect", { token })).json.active;
    for (const token of model.dead) expect(await active(token)).toBe(false);
    for (const { sessions } of model.users.values()) {
      for (const session of sessions) expect(await active(session.token)).toBe(model.isActive(session));
    }
  });

/** Several steps in a row that chance alone would rarely produce. */
const inTurn = (...steps: readonly Step[]): Step =>
  step(steps.map(String).join(", "), async (model, real) => {
    for (const one of steps) if (one.check(model)) await one.run(model, real);
  });

const wrong = (to: string): Step => submit(to, () => undefined, "wrong");
const right = (to: string): Step => submit(to, (codes) => codes.at(-1), "right");

/** A code tried this many seconds after it was sent. */
const late = fc
  .tuple(phone, fc.constantFrom(0, 599, 600))
  .map(([to, seconds]) => inTurn(post(to), post(to), advance(seconds), right(to)));

/** This many wrong attempts, then the right code. */
const guess = fc
  .tuple(phone, fc.integer({ min: 3, max: 6 }))
  .map(([to, n]) => inTurn(...Array.from({ length: n }, () => wrong(to)), right(to)));

/** A session checked this many seconds after it began. */
const aged = fc
  .tuple(phone, fc.constantFrom(86_399, 86_400))
  .map(([to, seconds]) => inTurn(post(to), post(to), right(to), advance(seconds), introspectAll()));

/** Sequences of these commands. */
export const sequences = (): fc.Arbitrary<Iterable<Step>> =>
  fc.commands(
    [
      phone.map(post),
      phone.map(post),
      phone.map(right),
      phone.map(wrong),
      late,
      guess,
      aged,
      phone.map((to) => submit(to, (codes) => codes.at(-2), "older")),
      phone.map(expire),
      phone.map(revoke),
      phone.map(remove),
      fc.constantFrom(-86_400, -600, 1, 600, 86_400).map(advance),
      fc.constant(restart()),
      fc.constant(introspectAll()),
    ],
    { maxCommands: 60, size: "max" },
  );
