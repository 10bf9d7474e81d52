/**
 * The operation table × handlers → Express: checks what comes in, and (in tests) what goes out.
 */
import type { Express, IRoute, Request, Response } from "express";
import { isProblem, type Problem, problem } from "#contract/problems.ts";
import { type Listener, type Operation, type OperationId, routes } from "#contract/routes.ts";
import { type JsonObject, readUuid } from "#contract/scalars.ts";
import { type FieldErrors, fieldErrors, mergeErrors } from "#contract/validation.ts";
import type { Env } from "#domain/env.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Answers } from "./answer.ts";
import { appOfSecret } from "./auth.ts";
import type { Deps } from "./deps.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import type { Answer, Call, Handler, Handlers, OperationsOf, Stream } from "./handler.ts";
import { createMeetFault } from "./meet-fault.ts";
import { readJsonObject, refuseStrangeBody } from "./read-body.ts";

/** Reads the query by the schema of the operation; a parameter that stands twice is wrong. */
const readQuery = (
  operation: Operation,
  req: Request,
): { readonly query: unknown } | { readonly errors: FieldErrors } => {
  if (operation.query === undefined) return { query: undefined };
  const mark = req.url.indexOf("?");
  const given = new URLSearchParams(mark < 0 ? "" : req.url.slice(mark));
  const errors: FieldErrors = {};
  for (const name of Object.keys(operation.query.shape))
    if (given.getAll(name).length > 1) errors[name] = ["must be given once"];
  const parsed = operation.query.safeParse(Object.fromEntries(given), { reportInput: true });
  if (parsed.success && Object.keys(errors).length === 0) return { query: parsed.data };
  return { errors: mergeErrors(errors, parsed.success ? {} : fieldErrors(parsed.error)) };
};

const parseBody = (
  operation: Operation,
  raw: unknown,
): { readonly body: unknown } | { readonly errors: FieldErrors } => {
  if (operation.body === undefined) return { body: undefined };
  if (operation.checkedBy === "rule") return { body: raw };
  const parsed = operation.body.safeParse(raw, { reportInput: true });
  return parsed.success ? { body: parsed.data } : { errors: fieldErrors(parsed.error) };
};

/** Literal paths go before those with parameters, which would swallow them. */
const literalFirst = (a: string, b: string): number => a.split(":").length - b.split(":").length;

const METHODS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const;

/** @returns the environment of one request. */
const envOf = (deps: Deps, exchange: Exchange): Env => ({
  ...deps.env,
  urls: deps.urls(),
  request: {
    // What the console asks is no row of the log, so nothing may point there.
    id: exchange.listener === "console" ? null : exchange.id,
    device: exchange.requestHeaders["user-agent"]?.slice(0, 255) ?? null,
    undelivered: exchange.undelivered,
  },
});

/** Registers one listener's operations, and 405 for the other methods of their paths. */
export const bind = <L extends Listener>(
  express: Express,
  listener: L,
  handlers: Handlers<L>,
  deps: Deps,
  answers: Answers,
  stream?: Stream,
): void => {
  const { store, faults } = deps;
  const meetFault = createMeetFault(deps, answers);

  const finish = <K extends OperationId>(operation: Operation, res: Response, answer: Answer<K>): void => {
    if ("problem" in answer) answers.refuse(res, answer.problem);
    else if ("text" in answer) answers.send(res, answer.status, answer.text, undefined, answer.contentType);
    else if ("json" in answer) {
      if (deps.checkAnswers) operation.answers[answer.status]?.parse(JSON.parse(Buffer.concat(answer.json).toString()));
      void answers.sendPieces(res, answer.status, answer.json);
    } else {
      const { status, body, headers } = answer;
      if (deps.checkAnswers) operation.answers[status]?.parse(body);
      answers.send(res, status, body === null ? null : JSON.stringify(body), headers);
    }
  };

  const fail = (res: Response, error: unknown): void => {
    // The store rejects with what the client should be told, when the disk fails after all (CONTRACT 5, 507).
    if (error instanceof Error && "problem" in error && isProblem(error.problem) && !res.headersSent) {
      answers.refuse(res, error.problem);
      return;
    }
    deps.warn(`${exchangeOf(res).id} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    if (!res.headersSent) answers.refuse(res, { code: "internal" });
  };

  /** What stands in front of the body: whose secret it is, and whether the profile is there (CONTRACT 5, order of checks). */
  const locate = (
    operation: Operation,
    req: Request,
    exchange: Exchange,
  ): { app?: AppWorld } | { problem: Problem } => {
    if (operation.auth !== "secret") return {};
    const found = appOfSecret(store.world, req, deps.refusedSecrets);
    if ("problem" in found) return found;
    exchange.appId = found.app.app.appId;
    const { userId } = req.params;
    if (typeof userId !== "string") return found;
    const id = readUuid(userId);
    if (id === undefined || found.app.find("profiles", id) === undefined) return problem("unknown_profile");
    exchange.userId = id;
    return found;
  };

  const serve = async <K extends OperationId>(
    operation: Operation,
    handler: Handler<K>,
    req: Request,
    res: Response,
  ): Promise<void> => {
    const exchange = exchangeOf(res);
    exchange.decision = operation.decision ?? null;
    const located = locate(operation, req, exchange);
    if ("problem" in located) return answers.refuse(res, located.problem);

    let raw: JsonObject = {};
    if (operation.body !== undefined) {
      const read = await readJsonObject(req, operation.maxBodyBytes ?? deps.bodyLimitBytes);
      if (read === "gone") return;
      if (read.bytes !== null) exchange.keepBody(read.bytes);
      if ("problem" in read) return answers.refuse(res, read.problem);
      raw = read.body;
    } else if (listener === "console" && operation.method !== "GET") {
      const refused = refuseStrangeBody(req);
      if (refused !== undefined) return answers.refuse(res, refused);
    }
    const query = readQuery(operation, req);
    const body = parseBody(operation, raw);
    if ("errors" in query || "errors" in body) {
      const fields = mergeErrors("errors" in query ? query.errors : {}, "errors" in body ? body.errors : {});
      return answers.refuse(res, { code: "invalid_fields", fields });
    }
    // Faults act here: the request is whole and who asks is known, but no rule was asked yet.
    const mayMeetFault = faults.any;
    if (mayMeetFault && (await meetFault(operation, req, res, exchange, located.app, raw))) return;
    // While the body came, or a fault waited, the app or the profile may have gone or been replaced.
    const waited = mayMeetFault || operation.body !== undefined;
    const now = waited ? locate(operation, req, exchange) : located;
    if ("problem" in now) return answers.refuse(res, now.problem);
    // Query, body and app are what the row of the table says: its own schemas have read them.
    const call = {
      world: store.world,
      env: envOf(deps, exchange),
      params: req.params,
      query: query.query,
      body: body.body,
      app: now.app,
      exchange,
      req,
    } as Call<K>;
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
        const refused = stream?.(req, res, exchangeOf(res));
        if (refused !== undefined) answers.refuse(res, refused);
      });
      return;
    }
    const handler = handlers[id as keyof Handlers<L>] as Handler<OperationsOf<L>>;
    route[method]((req, res) => {
      serve(operation, handler, req, res).catch((error: unknown) => fail(res, error));
    });
  };

  for (const path of new Set(rows.map(([, operation]) => operation.path))) {
    const same = rows.filter(([, operation]) => operation.path === path);
    const route = express.route(path);
    for (const [id, operation] of same) register(route, id, operation);
    // Before the next path, which may have a parameter that this one would pass for.
    const methods = same.filter(([, operation]) => operation.auth !== "session").map(([, o]) => o.method);
    const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    route.all((_req, res) => answers.refuse(res, { code: "method_not_allowed", headers: { Allow: allow } }));
  }
};
