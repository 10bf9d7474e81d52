/** Applies a fault to a request before any rule runs, so that nothing is half written. */
import { STATUS_CODES } from "node:http";
import type { Request, Response } from "express";
import type { FaultEffect } from "#contract/faults.ts";
import type { ProblemCode } from "#contract/problems.ts";
import { type Operation, refusalsOf, routes } from "#contract/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { FaultSubject } from "#domain/faults.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Answers } from "./answer.ts";
import { bearerToken, CHALLENGE } from "./auth.ts";
import type { Deps } from "./deps.ts";
import type { Exchange } from "./traffic/exchange.ts";

const FAULT_INJECTED: ProblemCode = "fault_injected";
/** The Retry-After value of faults, in seconds. */
const RETRY_AFTER = { "Retry-After": "1" };

/** Waits in real time. @returns whether the client is still connected. */
const wait = (ms: number, req: Request): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      req.socket.off("close", end);
      resolve(!req.socket.destroyed);
    };
    const timer = setTimeout(end, ms);
    req.socket.once("close", end);
  });

/** App and user of a request, as far as known before it is executed. */
interface About {
  readonly app: AppWorld | undefined;
  readonly to: string | null;
}

const NOTHING: About = { app: undefined, to: null };

/** @returns a function that reads app and user from a session request. */
const createReader = ({ store, tokens, readWire }: Deps) => {
  const fromBody = (body: JsonObject): About => {
    const read = readWire(body);
    if ("problem" in read) return NOTHING;
    const { user } = read.request;
    const username =
      typeof user === "object" && user !== null && !Array.isArray(user) ? user[read.app.app.strategy] : undefined;
    return { app: read.app, to: typeof username === "string" ? username : null };
  };
  const fromToken = async (req: Request): Promise<About> => {
    const token = bearerToken(req);
    const read = token === undefined ? undefined : await tokens.read(token);
    if (read === undefined || "refusal" in read) return NOTHING;
    const { claims } = read;
    const app = store.world.app(claims.appId);
    if (app === undefined) return NOTHING;
    return { app, to: app.find("profiles", claims.sub)?.[app.app.strategy] ?? null };
  };
  return (operation: Operation, req: Request, body: JsonObject): About | Promise<About> => {
    if (operation.auth === "session") return fromToken(req);
    return operation.body === undefined ? NOTHING : fromBody(body);
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

/** Applies a fault to one request. @returns whether that ended it, by a response or by closing the connection. */
export type MeetFault = (
  operation: Operation,
  req: Request,
  res: Response,
  exchange: Exchange,
  app: AppWorld | undefined,
  body: JsonObject,
) => Promise<boolean>;

/** @returns the function that applies faults to the requests of a listener. */
export const createMeetFault = (deps: Deps, answers: Answers): MeetFault => {
  const readAbout = createReader(deps);

  const act = async (effect: FaultEffect, req: Request, res: Response, exchange: Exchange): Promise<boolean> => {
    if (effect.delayMs !== undefined && !(await wait(effect.delayMs, req))) {
      exchange.reason = FAULT_INJECTED;
      answers.hangUp(res, "drop");
      return true;
    }
    if (effect.reason !== undefined) {
      const more = { rate_limited: RETRY_AFTER, unknown_secret: CHALLENGE.headers }[String(effect.reason)];
      answers.refuse(res, { code: effect.reason, ...(more === undefined ? {} : { headers: more }) });
      return true;
    }
    if (effect.undelivered === true) {
      exchange.undelivered = true;
      return false;
    }
    if (effect.status === undefined && effect.drop === undefined && effect.reset === undefined) return false;
    exchange.reason = FAULT_INJECTED;
    exchange.decision = null;
    if (effect.status === undefined) {
      answers.hangUp(res, effect.reset === true ? "reset" : "drop");
      return true;
    }
    const [text, contentType] = answerText(effect.status, effect);
    const retry = effect.status === 429 || effect.status === 503 ? RETRY_AFTER : {};
    answers.send(res, effect.status, text, { "Emulator-Reason": FAULT_INJECTED, ...retry }, contentType);
    return true;
  };

  return async (operation, req, res, exchange, app, body) => {
    const { listener } = operation;
    if (listener === "console") return false;
    const about = listener === "admin" ? { app, to: null } : await readAbout(operation, req, body);
    const existing = about.to === null ? undefined : about.app?.profileByUsername(about.to);
    const subject: FaultSubject = {
      listener,
      method: exchange.method,
      path: req.path,
      appId: about.app?.app.appId ?? null,
      to: about.to,
      sendsPasscode:
        operation.path === routes.startSession.path && operation.method === "POST" && existing !== undefined,
      refusals: refusalsOf(operation),
    };
    const fault = deps.faults.take(subject, existing?.userId);
    if (fault === undefined) return false;
    exchange.fault = fault.id;
    exchange.appId ??= subject.appId;
    exchange.userId ??= existing?.userId ?? null;
    return act(fault.effect, req, res, exchange);
  };
};
