/**
 * The first steps of every request (log row, health checks), and the last ones (unknown paths, errors), on all
 * listeners.
 */
import type { ErrorRequestHandler, Express, NextFunction, Request, Response } from "express";
import { isProblem } from "#contract/problems.ts";
import type { Listener } from "#contract/routes.ts";
import type { Answers } from "./answer.ts";
import type { Deps, Urls } from "./deps.ts";
import { listenerOf, nearestPath } from "./paths.ts";
import { Exchange, exchangeOf } from "./traffic/exchange.ts";

/** Creates the row of the request log. */
export const openExchange =
  (listener: Listener, deps: Deps) =>
  (req: Request, res: Response, next: NextFunction): void => {
    const exchange = new Exchange(listener, deps.env.uuid(), req, deps.env.now(), deps.monotonic());
    exchange.seq = deps.store.world.seq;
    res.locals["exchange"] = exchange;
    next();
  };

/** `/livez` and `/readyz`, for any Host (CONTRACT 1). A listening server is ready. */
export const answerHealth =
  (answers: Answers) =>
  (req: Request, res: Response, next: NextFunction): void => {
    if (req.method === "OPTIONS" || !/^\/(livez|readyz)\/?(\?|$)/.test(req.url)) next();
    else if (req.method === "GET" || req.method === "HEAD")
      answers.send(res, 200, "ok\n", undefined, "text/plain; charset=utf-8");
    else answers.refuse(res, { code: "method_not_allowed", headers: { Allow: "GET, HEAD" } });
  };

/** @returns the URL of the nearest path with as many parts; undefined if none is near. */
const nearestUrl = (path: string, urls: Urls): string | undefined => {
  const nearest = nearestPath(path);
  return nearest && `${urls[nearest.listener]}${nearest.path}`;
};

/**
 * 404 for unknown paths. For a path of another listener the response has its URL (CONTRACT 1); for repeated slashes,
 * the corrected path; for a misspelt path the nearest one.
 */
export const refuseUnknownPath =
  (listener: Listener, answers: Answers, urls: () => Urls) =>
  (req: Request, res: Response): void => {
    const path = req.path.replace(/\/{2,}/g, "/");
    const owner = listenerOf(path);
    const isOther = owner !== undefined && owner !== listener;
    const url = owner === undefined ? "" : `${urls()[owner]}${path}`;
    let instruction = isOther ? `This path is served at ${url}` : undefined;
    if (owner !== undefined && path !== req.path)
      instruction = `The path has two slashes in a row, as when a base URL ends with "/". Use ${url}`;
    const nearest = owner === undefined ? nearestUrl(path, urls()) : undefined;
    if (nearest !== undefined) instruction = `The path does not exist. Did you mean ${nearest}?`;
    const code = isOther ? "other_listener" : "unknown_path";
    answers.refuse(res, { code, ...(instruction === undefined ? {} : { instruction }) });
  };

const isClientError = (error: unknown): boolean =>
  error instanceof Error && (error instanceof URIError || ("status" in error && error.status === 400));

/** Errors thrown on the way: a problem is sent, an undecodable path is the client's error, everything else is a bug. */
export const answerErrors =
  (answers: Answers, warn: (line: string) => void): ErrorRequestHandler =>
  (error: unknown, _req, res, _next) => {
    // The store rejects with the problem to return if the disk fails (CONTRACT 5, 507); look-ups throw one.
    if (error instanceof Error && "problem" in error && isProblem(error.problem) && !res.headersSent)
      return answers.refuse(res, error.problem);
    if (isClientError(error)) return answers.refuse(res, { code: "malformed_path" });
    warn(`${exchangeOf(res).id} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    if (!res.headersSent) answers.refuse(res, { code: "internal" });
  };

/** Turns off Express features that Stagedoor does not use. */
export const plainExpress = (app: Express): Express => {
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.enable("case sensitive routing");
  return app;
};
