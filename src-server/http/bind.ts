/** Connects the operation table and the handlers to Express: runs requests through their steps (checks.ts). */
import type { Express, Request, Response } from "express";
import { type Listener, type Operation, type OperationId, routes } from "#contract/control/routes.ts";
import { epochMs } from "#contract/scalars.ts";
import type { Decision } from "#domain/decision.ts";
import type { Env, World } from "#domain/world.ts";
import { createSteps } from "./checks.ts";
import type { Deps } from "./deps.ts";
import { tokenHolderOf } from "./guards/token-holder.ts";
import type { Answers, Call, Handler, Handlers, OperationsOf, PendingCall, Run, Step } from "./handler.ts";
import { pathId } from "./lookups/latest-id.ts";
import { settled } from "./lookups/select.ts";
import { type Exchange, exchangeOf, userAgentOf } from "./traffic/exchange.ts";

/** Literal paths come before parameterised ones, which would match them too. */
const literalFirst = (a: string, b: string): number => a.split(":").length - b.split(":").length;

const METHODS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const;

/** @returns the `Env` of one request. Names each field: spreading takes a twentieth of a small request's time. */
const envOf = (
  { env: { now, uuid, nameId, digits, secret, random, retention }, place }: Deps,
  exchange: Exchange,
): Env => ({
  now: exchange.clockOffMs === 0 ? now : (appId) => epochMs(now(appId) + exchange.clockOffMs),
  uuid,
  nameId,
  digits,
  secret,
  random,
  retention,
  urls: place.urls(),
  request: {
    // Console requests are not in the request log, so no record refers to them.
    id: exchange.listener === "console" ? null : exchange.id,
    device: userAgentOf(exchange.requestHeaders),
    message: exchange.message,
  },
});

/** Registers the operations of a listener, and a 405 for the other methods of their paths. */
export const bind = <L extends Listener>(
  express: Express,
  listener: L,
  handlers: Handlers<L>,
  deps: Deps,
  answers: Answers,
  stream?: Run,
): void => {
  const { store } = deps;
  const stepsOf = createSteps(listener, deps, answers);

  const isLetPass = async (steps: readonly Step[], pending: PendingCall): Promise<boolean> => {
    const { operation, res, exchange } = pending;
    exchange.decision = operation.decision ?? null;
    exchange.operation = pending.id;
    for (const { check, run } of steps) {
      const running = run(pending);
      const result = running instanceof Promise ? await running : running;
      if (result === "ended") return false;
      if (result === undefined) continue;
      exchange.check = check;
      answers.refuse(res, result);
      return false;
    }
    return true;
  };

  const serve = async <K extends OperationId>(steps: readonly Step[], handler: Handler<K>, pending: PendingCall) => {
    const { exchange } = pending;
    try {
      if (await isLetPass(steps, pending)) await carryOut(handler, pending);
    } catch (error) {
      // What failed is not repeated: the client gets the error.
      if (exchange.twice !== null) Object.assign(exchange, { twice: null, aftermath: null });
      throw error;
    }
    if (exchange.twice !== null) await repeat(steps, handler, pending);
  };

  /** Carries out once more what a fault has carried out and not answered. */
  const repeat = async <K extends OperationId>(steps: readonly Step[], handler: Handler<K>, first: PendingCall) => {
    const { req, res } = first;
    const exchange = first.exchange.again(req, deps.env.uuid(), deps.env.now(), deps.env.monotonic());
    exchange.seq = store.world.seq;
    res.locals["exchange"] = exchange;
    const pending: PendingCall = { ...first, exchange, hasWaited: true };
    const rest = steps.slice(steps.findIndex(({ check }) => check === "fault") + 1);
    if (await isLetPass(rest, pending)) await carryOut(handler, pending);
  };

  const carryOut = async <K extends OperationId>(handler: Handler<K>, pending: PendingCall) => {
    const { operation, req, res, exchange, holder } = pending;
    const { query, body, app, profile } = pending;
    const world = holder === undefined ? store.world : holder.world(store.world);
    const env = envOf(deps, exchange);
    // Safe: query and body were parsed with the schemas of this operation.
    // In the browser every change has an Origin, which the guard has compared with the Host.
    const cause =
      listener === "console"
        ? { byConsole: req.headers.origin !== undefined, byOwner: holder === undefined }
        : { requestId: exchange.id };
    const change = <T>(rule: (world: World) => Decision<T>): T => settled(store.transact(rule, cause));
    const given = { world, env, cause, change, params: req.params, query, body };
    const call = { ...given, app, profile, exchange, req, holder } as Call<K>;
    const { seq } = store.world;
    const answer = await handler(call);
    const durable = store.durable();
    if (durable !== undefined) await durable;
    if (cause.byConsole && store.world.seq !== seq)
      deps.bus.publish({ type: "history", appId: null, item: { seq: store.world.seq } });
    if ("problem" in answer) {
      exchange.check = answer.problem.code === "invalid_fields" ? "fields" : "rule";
      answers.refuse(res, answer.problem);
    } else if ("pieces" in answer) await answers.stream(res, answer.status, answer.pieces);
    else if ("text" in answer) answers.send(res, answer.status, answer.text, answer.headers, answer.contentType);
    else {
      const { status, body: value, headers } = answer;
      if (deps.checks.answers) operation.answers[status]?.parse(value);
      answers.send(res, status, value === null ? null : JSON.stringify(value), headers);
    }
  };

  const rows = Object.entries<Operation>(routes)
    .filter(([, operation]) => operation.listener === listener)
    .sort(([, a], [, b]) => literalFirst(a.path, b.path));
  // Express tries the patterns of all paths one by one. Most requests are for a path without parameters: find it by name.
  const direct = new Map<string, (req: Request, res: Response) => Promise<void>>();
  express.use((req, res, next) => {
    const [path = ""] = req.url.split("?", 1);
    const run = direct.get(`${req.method} ${path}`);
    return run === undefined ? next() : run(req, res);
  });
  for (const path of new Set(rows.map(([, operation]) => operation.path))) {
    const same = rows.filter(([, operation]) => operation.path === path);
    const route = express.route(path);
    for (const [key, operation] of same) {
      const id = key as OperationId;
      const handler = handlers[key as keyof Handlers<L>] as Handler<OperationsOf<L>>;
      const steps = stepsOf(operation, id === "streamEvents" ? stream : undefined);
      const run = (req: Request, res: Response): Promise<void> => {
        const exchange = exchangeOf(res);
        const holder = tokenHolderOf(res);
        const { id: named } = req.params;
        if (typeof named === "string") req.params["id"] = pathId(named, operation, deps, holder);
        const known = { id, operation, req, res, exchange, holder, url: req.url };
        const pending = { ...known, raw: {}, query: undefined, body: undefined, hasWaited: false };
        return serve(steps, handler, pending);
      };
      route[METHODS[operation.method]](run);
      if (!path.includes(":")) direct.set(`${operation.method} ${path}`, run);
    }
    // Registered before the next path, whose parameter could match this one.
    const methods = same.filter(([, operation]) => operation.auth !== "session").map(([, o]) => o.method);
    const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    route.all((_req, res) => answers.refuse(res, { code: "method_not_allowed", headers: { Allow: allow } }));
  }
};
