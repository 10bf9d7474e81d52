/** Connects the operation table and the handlers to Express: runs requests through their steps (steps.ts). */
import type { Express, IRoute, Response } from "express";
import { isProblem } from "#contract/problems.ts";
import { type Listener, type Operation, type OperationId, routes } from "#contract/routes.ts";
import type { Env } from "#domain/world.ts";
import type { Answers } from "./answer.ts";
import { confine, visitorOf, worldFor } from "./confinement.ts";
import type { Deps } from "./deps.ts";
import type { Answer, Call, Handler, Handlers, OperationsOf, Stream } from "./handler.ts";
import { createSteps, type Step, type Visit } from "./steps.ts";
import { type Exchange, exchangeOf, userAgentOf } from "./traffic/exchange.ts";

/** Events cover all apps. */

/** Literal paths come before parameterised ones, which would match them too. */
const literalFirst = (a: string, b: string): number => a.split(":").length - b.split(":").length;

const METHODS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const;

/** @returns the `Env` of one request. */
const envOf = ({ env: { now, uuid, digits, secret, retention }, urls }: Deps, exchange: Exchange): Env => ({
  now,
  uuid,
  digits,
  secret,
  retention,
  urls: urls(),
  request: {
    // Console requests are not in the request log, so no record refers to them.
    id: exchange.listener === "console" ? null : exchange.id,
    device: userAgentOf(exchange.requestHeaders),
    undelivered: exchange.undelivered,
  },
});

/** Registers the operations of a listener, and a 405 for the other methods of their paths. */
export const bind = <L extends Listener>(
  express: Express,
  listener: L,
  handlers: Handlers<L>,
  deps: Deps,
  answers: Answers,
  stream?: Stream,
): void => {
  const { store } = deps;
  const stepsOf = createSteps(listener, deps, answers);

  const finish = <K extends OperationId>(operation: Operation, res: Response, answer: Answer<K>): void => {
    if ("problem" in answer) answers.refuse(res, answer.problem);
    else if ("text" in answer) answers.send(res, answer.status, answer.text, answer.headers, answer.contentType);
    else {
      const { status, body, headers } = answer;
      if (deps.checkAnswers) operation.answers[status]?.parse(body);
      answers.send(res, status, body === null ? null : JSON.stringify(body), headers);
    }
  };

  const fail = (res: Response, error: unknown): void => {
    // The store rejects with the problem to return if the disk fails (CONTRACT 5, 507).
    if (error instanceof Error && "problem" in error && isProblem(error.problem) && !res.headersSent) {
      answers.refuse(res, error.problem);
      return;
    }
    deps.warn(`${exchangeOf(res).id} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    if (!res.headersSent) answers.refuse(res, { code: "internal" });
  };

  /** Runs a request through its steps, then through its handler. */
  const serve = async <K extends OperationId>(
    steps: readonly Step[],
    handler: Handler<K>,
    visit: Visit,
  ): Promise<void> => {
    const { operation, req, res, exchange } = visit;
    exchange.decision = operation.decision ?? null;
    for (const step of steps) {
      const pending = step(visit);
      const result = pending instanceof Promise ? await pending : pending;
      if (result === "ended") return;
      if (result !== undefined) return answers.refuse(res, result);
    }
    const { query, body, app, profile } = visit;
    const env = envOf(deps, exchange);
    const visitor = listener === "console" ? visitorOf(res) : undefined;
    const world = visitor === undefined ? store.world : worldFor(visitor, store.world);
    // Safe: query and body were parsed with the schemas of this operation.
    const call = { world, env, params: req.params, query, body, app, profile, exchange, req, visitor } as Call<K>;
    const answer = await handler(call);
    const durable = store.durable();
    if (durable !== undefined) await durable;
    finish(operation, res, answer);
  };

  const rows = Object.entries<Operation>(routes)
    .filter(([, operation]) => operation.listener === listener)
    .sort(([, a], [, b]) => literalFirst(a.path, b.path));
  const register = (route: IRoute, id: string, operation: Operation): void => {
    const method = METHODS[operation.method];
    if (id === "streamEvents") {
      route[method]((req, res) => {
        const visitor = visitorOf(res);
        const foreign = visitor && confine(visitor, id, req, () => null);
        const refused = foreign ?? stream?.(req, res, exchangeOf(res));
        if (refused !== undefined) answers.refuse(res, refused);
      });
      return;
    }
    const handler = handlers[id as keyof Handlers<L>] as Handler<OperationsOf<L>>;
    const steps = stepsOf(operation, id);
    route[method]((req, res) => {
      const exchange = exchangeOf(res);
      const visit: Visit = {
        operation,
        req,
        res,
        exchange,
        raw: {},
        query: undefined,
        body: undefined,
        hasWaited: false,
      };
      serve(steps, handler, visit).catch((error: unknown) => fail(res, error));
    });
  };

  for (const path of new Set(rows.map(([, operation]) => operation.path))) {
    const same = rows.filter(([, operation]) => operation.path === path);
    const route = express.route(path);
    for (const [id, operation] of same) register(route, id, operation);
    // Registered before the next path, whose parameter could match this one.
    const methods = same.filter(([, operation]) => operation.auth !== "session").map(([, o]) => o.method);
    const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    route.all((_req, res) => answers.refuse(res, { code: "method_not_allowed", headers: { Allow: allow } }));
  }
};
