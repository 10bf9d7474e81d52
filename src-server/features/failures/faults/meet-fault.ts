/** Applies a fault before any rule runs, or to the answer once the changes are durable: nothing is half written. */
import { type IncomingMessage, STATUS_CODES } from "node:http";
import { setTimeout } from "node:timers/promises";
import { refusalsOf, routes } from "#contract/control/routes.ts";
import { epochMs, isJsonObject, isoInstant } from "#contract/scalars.ts";
import { AFTERWARDS, EFFECT_NAMES, type EffectName } from "#contract/service/faults.ts";
import type { ProblemCode } from "#contract/service/problems.ts";
import { usernameField } from "#contract/service/strategies.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Base } from "#http/deps.ts";
import { bearerToken, CHALLENGE } from "#http/guards/auth.ts";
import type { Answers, PendingCall } from "#http/handler.ts";
import type { Aftermath, Exchange } from "#http/traffic/exchange.ts";
import { createWireReader } from "#http/wire.ts";
import type { Faults } from "./faults.ts";
import type { DrawnEffect, FaultSubject } from "./meeting.ts";
import { createRepetitions, type Repetitions } from "./repetitions.ts";

const FAULT_INJECTED: ProblemCode = "fault_injected";
/** The Retry-After value of faults, in seconds. */
const RETRY_AFTER = { "Retry-After": "1" } as const;

/** Waits in real time. @returns whether the client is still connected. */
const wait = async (ms: number, { socket }: IncomingMessage): Promise<boolean> => {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  socket.once("close", leave);
  await setTimeout(ms, undefined, { signal: gone.signal }).catch(() => undefined);
  socket.off("close", leave);
  return !socket.destroyed;
};

interface About {
  readonly app: AppWorld | undefined;
  readonly to: string | null;
}

const NOTHING: About = { app: undefined, to: null };

const createReader = ({ store, tokens }: Pick<Base, "store" | "tokens">) => {
  const readWire = createWireReader(store);
  const fromToken = async (req: IncomingMessage): Promise<About> => {
    const read = await tokens.read(bearerToken(req) ?? "");
    if ("refusal" in read) return NOTHING;
    const { appId, sub } = read.claims;
    const app = store.world.app(appId);
    return app === undefined ? NOTHING : { app, to: app.find("profiles", sub)?.[usernameField(app.app)] ?? null };
  };
  return ({ operation, req, raw, exchange }: PendingCall): About | Promise<About> => {
    if (operation.auth === "session") return fromToken(req);
    if (operation.body === undefined) return NOTHING;
    const read = readWire(raw);
    exchange.names(read.named);
    if (!("request" in read)) return NOTHING;
    const { user } = read.request;
    const username = isJsonObject(user) ? user[usernameField(read.app.app)] : undefined;
    return { app: read.app, to: typeof username === "string" ? username : null };
  };
};

/** Statuses whose response has it. */
const RETRIED: ReadonlySet<number> = new Set([429, 503]);

/** Headers that a fault can replace; others are sent as they are written. */
const REPLACEABLE = ["Content-Type", "Retry-After"] as const;

const usualBody = (status: number): string =>
  JSON.stringify({
    message: STATUS_CODES[status] ?? "Error",
    instruction: "A simulated failure applied to this request.",
  });

/** A request that a fault meets; in its own row when it is carried out for the second time. */
type Met = Pick<PendingCall, "req" | "res" | "exchange">;

/** @returns `"ended"` if the request ends here; undefined: the next effect, then the rule. */
type Act = (met: Met, effect: DrawnEffect) => "ended" | undefined | Promise<"ended" | undefined>;

/** What has no act of its own: it is a part of another. */
const nothing: Act = () => undefined;

const NEVER: readonly EffectName[] = [];
const ONLY_DELAY: readonly EffectName[] = ["delayMs"];

/** @returns the effects that act on the answer; the others act before the request is carried out. */
const onAnswer = ({ after, twice }: DrawnEffect): readonly EffectName[] => {
  if (after) return AFTERWARDS;
  // The client gets the second answer: it is the one to wait for.
  return twice ? ONLY_DELAY : NEVER;
};

const injected = (exchange: Exchange): void => {
  exchange.reason = FAULT_INJECTED;
  exchange.check = "fault";
  exchange.decision = null;
};

const actsOf = (
  answers: Answers,
  repetitions: Repetitions,
  realNow: Base["env"]["realNow"],
): Readonly<Record<EffectName, Act>> => {
  const after = (ms: number) => isoInstant(epochMs(realNow() + ms));
  const hangUp =
    (how: "drop" | "reset"): Act =>
    ({ exchange, res }) => {
      injected(exchange);
      repetitions.remember(exchange, exchange.carriedOut === null ? how : "lost");
      answers.hangUp(res, how);
      return "ended";
    };
  return {
    twice: nothing,
    after: nothing,
    clockOffMs: ({ exchange, res }, { clockOffMs = 0 }) => {
      exchange.clockOffMs = clockOffMs;
      // Clients that measure how wrong their clock is compare it with this.
      res.setHeader("Date", new Date(realNow() + clockOffMs).toUTCString());
      return undefined;
    },
    delayMs: async ({ req, res, exchange }, { delayMs = 0 }) => {
      if (await wait(delayMs, req)) return undefined;
      exchange.reason = FAULT_INJECTED;
      if (exchange.carriedOut !== null) repetitions.remember(exchange, "lost");
      answers.hangUp(res, "drop");
      return "ended";
    },
    headers: nothing,
    body: nothing,
    status: ({ exchange, res }, { status = 500, headers: given = {}, body }) => {
      injected(exchange);
      if (exchange.carriedOut !== null) repetitions.remember(exchange, "lost");
      const hasBody = status !== 204 && status !== 205 && status !== 304;
      const text = body === undefined ? usualBody(status) : typeof body === "string" ? body : JSON.stringify(body);
      const nameOf = (name: string) => REPLACEABLE.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
      const own = Object.fromEntries(Object.entries(given).map(([name, value]) => [nameOf(name), value]));
      const headers = { "Emulator-Reason": FAULT_INJECTED, ...(RETRIED.has(status) && RETRY_AFTER), ...own };
      const contentType = typeof body === "string" ? "text/plain; charset=utf-8" : undefined;
      answers.send(res, status, hasBody ? text : null, headers, contentType);
      return "ended";
    },
    reason: ({ res }, { reason = "internal" }) => {
      const headers = { rate_limited: RETRY_AFTER, unknown_secret: CHALLENGE.headers }[String(reason)];
      answers.refuse(res, { code: reason, ...(headers === undefined ? {} : { headers }) });
      return "ended";
    },
    drop: hangUp("drop"),
    reset: hangUp("reset"),
    undelivered: ({ exchange }) => {
      exchange.message = { isLost: true };
      return undefined;
    },
    deliverAfterMs: ({ exchange }, { deliverAfterMs = 0 }) => {
      exchange.message = { transit: { sentAt: after(0), arrivesAt: after(deliverAfterMs), copies: 1 } };
      return undefined;
    },
    deliverTwice: ({ exchange }) => {
      const { sentAt, arrivesAt } = exchange.message.transit ?? { sentAt: after(0), arrivesAt: after(0) };
      exchange.message = { transit: { sentAt, arrivesAt, copies: 2 } };
      return undefined;
    },
  };
};

/** @returns the step that applies faults to requests. */
export const createMeetFault = (deps: Base, faults: Pick<Faults, "list" | "take">) => {
  const readAbout = createReader(deps);
  const repetitions = createRepetitions(deps.env.monotonic);

  const run = async (met: Met, answers: Answers, effect: DrawnEffect, names: readonly EffectName[]) => {
    const acts = actsOf(answers, repetitions, deps.env.realNow);
    for (const name of names) {
      const done = effect[name] === undefined ? undefined : await acts[name](met, effect);
      if (done !== undefined) return done;
    }
    return undefined;
  };

  const act = async (pending: PendingCall, answers: Answers, effect: DrawnEffect): Promise<"ended" | undefined> => {
    const { req, res, exchange } = pending;
    const late = onAnswer(effect);
    const soon = EFFECT_NAMES.filter((name) => !late.includes(name));
    const ended = await run(pending, answers, effect, soon);
    if (ended !== undefined) return ended;
    const then: Aftermath = async (answered, send) => {
      if ((await run({ req, res, exchange: answered }, answers, effect, late)) === undefined) send();
    };
    const aftermath = late.some((name) => effect[name] !== undefined) ? then : null;
    exchange.aftermath = aftermath;
    if (effect.twice === undefined) return undefined;
    exchange.twice = { aftermath };
    exchange.aftermath = (first) => {
      injected(first);
      answers.withhold(first);
    };
    return undefined;
  };

  /** @returns the cut that a request fails with again, or the request that it repeats and that reaches the service. */
  const repetitionOf = (exchange: Exchange, appId: string | null) => {
    const cut = repetitions.take(exchange, exchange.appId ?? appId);
    const fault = cut && faults.list().find(({ id }) => id === cut.fault);
    if (cut?.how === "lost" || fault?.repetitions === "count") return { repeats: cut?.first };
    return fault === undefined ? {} : { again: cut };
  };

  return async (pending: PendingCall, answers: Answers): Promise<"ended" | undefined> => {
    const { operation, req, exchange } = pending;
    const { listener, path, method } = operation;
    if (listener === "console") return undefined;
    const { app, to } = listener === "admin" ? { app: pending.app, to: null } : await readAbout(pending);
    const existing = to === null ? undefined : app?.profileByUsername(to);
    const subject: FaultSubject = {
      listener,
      method: exchange.method,
      path: req.path,
      appId: app?.app.appId ?? null,
      to,
      sendsPasscode: path === routes.startSession.path && method === "POST" && existing !== undefined,
      refusals: refusalsOf(operation),
    };
    const { again, repeats } = repetitionOf(exchange, subject.appId);
    const taken = again === undefined ? faults.take(subject, existing?.userId) : undefined;
    exchange.repeats = again?.first ?? repeats ?? exchange.repeats;
    if (again === undefined && taken === undefined) return undefined;
    exchange.fault = taken?.id ?? again?.fault ?? null;
    exchange.appId ??= subject.appId;
    exchange.userId ??= existing?.userId ?? null;
    if (taken !== undefined) return await act(pending, answers, taken.effect);
    injected(exchange);
    answers.hangUp(pending.res, again?.how === "reset" ? "reset" : "drop");
    return "ended";
  };
};
