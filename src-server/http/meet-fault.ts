/** Applies a fault to a request before any rule runs, so that nothing is half written. */
import { STATUS_CODES } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Request } from "express";
import type { FaultEffect } from "#contract/faults.ts";
import type { ProblemCode } from "#contract/problems.ts";
import { refusalsOf, routes } from "#contract/routes.ts";
import { isJsonObject } from "#contract/scalars.ts";
import type { FaultSubject } from "#domain/faults.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Answers } from "./answer.ts";
import { bearerToken, CHALLENGE } from "./auth.ts";
import type { Deps } from "./deps.ts";
import type { Visit } from "./handler.ts";

const FAULT_INJECTED: ProblemCode = "fault_injected";
/** The Retry-After value of faults, in seconds. */
const RETRY_AFTER = { "Retry-After": "1" };

/** Waits in real time. @returns whether the client is still connected. */
const wait = async (ms: number, { socket }: Request): Promise<boolean> => {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  socket.once("close", leave);
  await setTimeout(ms, undefined, { signal: gone.signal }).catch(() => undefined);
  socket.off("close", leave);
  return !socket.destroyed;
};

/** App and user of a request, as far as known before it is executed. */
interface About {
  readonly app: AppWorld | undefined;
  readonly to: string | null;
}

const NOTHING: About = { app: undefined, to: null };

/** @returns a function that reads app and user from a session request. */
const createReader = ({ store, tokens, readWire }: Deps) => {
  const fromToken = async (req: Request): Promise<About> => {
    const read = await tokens.read(bearerToken(req) ?? "");
    if ("refusal" in read) return NOTHING;
    const { appId, sub } = read.claims;
    const app = store.world.app(appId);
    return app === undefined ? NOTHING : { app, to: app.find("profiles", sub)?.[app.app.strategy] ?? null };
  };
  return ({ operation, req, raw }: Visit): About | Promise<About> => {
    if (operation.auth === "session") return fromToken(req);
    const read = operation.body === undefined ? NOTHING : readWire(raw);
    if (!("request" in read)) return NOTHING;
    const { user } = read.request;
    const username = isJsonObject(user) ? user[read.app.app.strategy] : undefined;
    return { app: read.app, to: typeof username === "string" ? username : null };
  };
};

/** @returns the text of a fault's response and its type; null if the status has no body. */
const answerText = (status: number, { body }: FaultEffect): readonly [text: string | null, contentType?: string] => {
  if (status === 204 || status === 205 || status === 304) return [null];
  if (typeof body === "string") return [body, "text/plain; charset=utf-8"];
  const usual = {
    message: STATUS_CODES[status] ?? "Error",
    instruction: "A simulated failure applied to this request.",
  };
  return [JSON.stringify(body ?? usual)];
};

/** @returns the step that applies faults to the requests of a listener. */
export const createMeetFault = (deps: Deps, answers: Answers): ((visit: Visit) => Promise<"ended" | undefined>) => {
  const readAbout = createReader(deps);

  const act = async ({ req, res, exchange }: Visit, effect: FaultEffect): Promise<"ended" | undefined> => {
    if (effect.delayMs !== undefined && !(await wait(effect.delayMs, req))) {
      exchange.reason = FAULT_INJECTED;
      answers.hangUp(res, "drop");
      return "ended";
    }
    if (effect.reason !== undefined) {
      const headers = { rate_limited: RETRY_AFTER, unknown_secret: CHALLENGE.headers }[String(effect.reason)];
      answers.refuse(res, { code: effect.reason, ...(headers === undefined ? {} : { headers }) });
      return "ended";
    }
    if (effect.undelivered === true) exchange.undelivered = true;
    if (effect.status === undefined && effect.drop === undefined && effect.reset === undefined) return undefined;
    exchange.reason = FAULT_INJECTED;
    exchange.decision = null;
    if (effect.status === undefined) answers.hangUp(res, effect.reset === true ? "reset" : "drop");
    else {
      const [text, contentType] = answerText(effect.status, effect);
      const retry = effect.status === 429 || effect.status === 503 ? RETRY_AFTER : {};
      answers.send(res, effect.status, text, { "Emulator-Reason": FAULT_INJECTED, ...retry }, contentType);
    }
    return "ended";
  };

  return async (visit) => {
    const { operation, req, exchange } = visit;
    const { listener, path, method } = operation;
    if (listener === "console") return undefined;
    const { app, to } = listener === "admin" ? { app: visit.app, to: null } : await readAbout(visit);
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
    const fault = deps.faults.take(subject, existing?.userId);
    if (fault === undefined) return undefined;
    exchange.fault = fault.id;
    exchange.appId ??= subject.appId;
    exchange.userId ??= existing?.userId ?? null;
    return await act(visit, fault.effect);
  };
};
