/** Connects the operation table and the handlers to Express: runs requests through their steps (checks.ts). */
import type { Express, Request, Response } from "express";
import { type Listener, type Operation, type OperationId, routes } from "#contract/control/routes.ts";
import { epochMs } from "#contract/scalars.ts";
import type { Decision } from "#domain/decision.ts";
import type { Env, World } from "#domain/world.ts";
import { createSteps } from "./checks.ts";
import type { Deps } from "./deps.ts";
import { tokenHolderOf } from "./guards/token-holder.ts";
import type { Answer, Answers, Call, Handler, Handlers, OperationsOf, PendingCall, Run, Step } from "./handler.ts";
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

  const callOf = <K extends OperationId>({
    req,
    exchange,
    holder,
    query,
    body,
    app,
    profile,
  }: PendingCall): Call<K> => {
    const world = holder === undefined ? store.world : holder.world(store.world);
    const env = envOf(deps, exchange);
    // In the browser every change has an Origin, which the guard has compared with the Host.
    const cause =
      listener === "console"
        ? { byConsole: req.headers.origin !== undefined, byOwner: holder === undefined }
        : { requestId: exchange.id };
    const change = <T>(rule: (world: World) => Decision<T>): T => settled(store.transact(rule, cause));
    const { params } = req;
    // Safe: query and body were parsed with the schemas of this operation.
    return { world, env, cause, change, params, query, body, app, profile, exchange, req, holder } as Call<K>;
  };

  const send = <K extends OperationId>({ operation, res, exchange }: PendingCall, answer: Answer<K>) => {
    if ("problem" in answer) {
      exchange.check = answer.problem.code === "invalid_fields" ? "fields" : "rule";
      return answers.refuse(res, answer.problem);
    }
    if ("pieces" in answer) return answers.stream(res, answer.status, answer.pieces);
    if ("text" in answer) return answers.send(res, answer.status, answer.text, answer.headers, answer.contentType);
    const { status, body, headers } = answer;
    if (deps.checks.answers) operation.answers[status]?.parse(body);
    return answers.send(res, status, body === null ? null : JSON.stringify(body), headers);
  };

  /** Runs a request through its steps, then through its handler. */
  const serve = async <K extends OperationId>(
    steps: readonly Step[],
    handler: Handler<K>,
    pending: PendingCall,
  ): Promise<void> => {
    const { operation, res, exchange } = pending;
    exchange.decision = operation.decision ?? null;
    exchange.operation = pending.id;
    for (const step of steps) {
      const running = step.run(pending);
      const result = running instanceof Promise ? await running : running;
      if (result === "ended") return;
      if (result !== undefined) {
        exchange.check = step.check;
        return answers.refuse(res, result);
      }
      if (step.check === "fault" && exchange.twice !== null)
        return await serveTwice(steps.slice(steps.indexOf(step) + 1), handler, pending);
    }
    const { seq } = store.world;
    const call = callOf<K>(pending);
    const answering = handler(call);
    const answer = answering instanceof Promise ? await answering : answering;
    const durable = store.durable();
    if (durable !== undefined) await durable;
    if (call.cause.byConsole && store.world.seq !== seq)
      deps.bus.publish({ type: "history", appId: null, item: { seq: store.world.seq } });
    return send(pending, answer);
  };

  /** Carries out twice what a fault repeats. What fails is not repeated: the client gets the error. */
  const serveTwice = async <K extends OperationId>(rest: readonly Step[], handler: Handler<K>, first: PendingCall) => {
    const { exchange: before, req, res } = first;
    try {
      await serve(rest, handler, first);
    } catch (error) {
      Object.assign(before, { twice: null, aftermath: null });
      throw error;
    }
    const exchange = before.again(req, deps.env.uuid(), deps.env.now(), deps.env.monotonic());
    Object.assign(exchange, { seq: store.world.seq, aftermath: before.twice?.aftermath ?? null });
    res.locals["exchange"] = exchange;
    await serve(rest, handler, { ...first, exchange, hasWaited: true });
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
        const [exchange, holder] = [exchangeOf(res), tokenHolderOf(res)];
        const { id: named } = req.params;
        if (typeof named === "string") req.params["id"] = pathId(named, operation, deps, holder);
        const pending = { id, operation, req, res, exchange, holder, url: req.url, raw: {}, hasWaited: false };
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
