/** The first steps of every request (log row, health), and the last ones (unknown paths, errors). */

import type { ErrorRequestHandler, Express, NextFunction, Request, Response } from "express";
import type { Listener } from "#contract/control/routes.ts";
import { isProblem, type Problem } from "#contract/service/problems.ts";
import { notEmulated } from "#contract/words/not-emulated.ts";
import type { Deps, Urls } from "./deps.ts";
import type { Answers } from "./handler.ts";
import { listenerOf, meantByPath } from "./paths.ts";
import { Exchange, exchangeOf } from "./traffic/exchange.ts";

/** Creates the row of the request log. */
export const openExchange =
  (listener: Listener, { env, store }: Pick<Deps, "env" | "store">) =>
  (req: Request, res: Response, next: NextFunction): void => {
    const exchange = new Exchange(listener, env.uuid(), req, env.now(), env.monotonic());
    exchange.seq = store.world.seq;
    res.locals["exchange"] = exchange;
    next();
  };

/** `/livez` and `/readyz` (ready while it can write), for any Host; the request log does not have them. */
export const answerHealth =
  (answers: Answers, { store }: Pick<Deps, "store">) =>
  (req: Request, res: Response, next: NextFunction): void => {
    if (req.method === "OPTIONS" || !/^\/(livez|readyz)\/?(\?|$)/.test(req.url)) next();
    else if (req.method === "GET" || req.method === "HEAD") {
      // A kubelet asks every second or two, which would push out the requests of the app.
      exchangeOf(res).isProbe = true;
      const problem = req.url.startsWith("/readyz") ? store.unwritable() : undefined;
      answers.send(
        res,
        problem === undefined ? 200 : 503,
        `${problem ?? "ok"}\n`,
        undefined,
        "text/plain; charset=utf-8",
      );
    } else answers.refuse(res, { code: "method_not_allowed", headers: { Allow: "GET, HEAD" } });
  };

/** @returns the 404 of a path that no listener serves: what is not emulated, or the nearest path. */
const unknownPath = (path: string, listener: Listener, urls: Urls): Problem => {
  const known = notEmulated(path);
  if (known !== undefined) {
    const { auth, admin, console } = urls;
    const bases: Readonly<Record<string, string>> = { auth, admin, console: new URL(console).origin };
    const instruction = known.says.replace(/\{(\w+)\}/g, (_, name: string) => bases[name] ?? "");
    return { code: "not_emulated", instruction };
  }
  const meant = meantByPath(path, listener);
  if (meant === undefined) return { code: "unknown_path" };
  const why = meant.why === undefined ? "does not exist" : meant.why;
  return { code: "unknown_path", instruction: `The path ${why}. Did you mean ${urls[listener]}${meant.path}?` };
};

/** 404 for unknown paths, with the URL that was meant, or that it is not emulated. */
export const refuseUnknownPath =
  (listener: Listener, answers: Answers, urls: () => Urls) =>
  (req: Request, res: Response): void => {
    const path = req.path.replace(/\/{2,}/g, "/");
    const owner = listenerOf(path);
    if (owner === undefined) {
      answers.refuse(res, unknownPath(path, listener, urls()));
      return;
    }
    const url = `${urls()[owner]}${path}`;
    const isOther = owner !== listener;
    let instruction = isOther ? `This path is served at ${url}` : undefined;
    if (path !== req.path)
      instruction = `The path has two slashes in a row, as when a base URL ends with "/". Use ${url}`;
    answers.refuse(res, {
      code: isOther ? "other_listener" : "unknown_path",
      ...(instruction === undefined ? {} : { instruction }),
    });
  };

const isClientError = (error: unknown): boolean =>
  error instanceof Error && (error instanceof URIError || ("status" in error && error.status === 400));

/** Errors thrown on the way: a problem is sent, an undecodable path is the client's error, everything else is a bug. */
export const answerErrors =
  (answers: Answers, warn: (line: string) => void): ErrorRequestHandler =>
  (error: unknown, _req, res, _next) => {
    // The store rejects with the problem to return if the disk fails; look-ups throw one.
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
