/** What the stage frames: the console's page holds the demo app of auth, and nobody else may (CONTRACT 10). */
import type { NextFunction, Request, Response } from "express";
import type { Answers } from "./answer.ts";
import type { Deps } from "./deps.ts";
import { isPage } from "./ui.ts";

/** @returns the origins of the console as browsers and policies name them: `http://localhost:4012`. */
export const consoleOrigins = ({ consoleNames, urls }: Pick<Deps, "consoleNames" | "urls">): readonly string[] =>
  consoleNames().map((name) => `http://${name}:${new URL(urls().console).port || 80}`);

/** @returns the origins of auth under the names of the console, those of TLS too while that is on. */
export const authOrigins = ({ consoleNames, network }: Pick<Deps, "consoleNames" | "network">): readonly string[] => {
  const { http, tls } = network().ports();
  return consoleNames().flatMap((name) => [
    `http://${name}:${http}`,
    ...(tls === null ? [] : [`https://${name}:${tls}`]),
  ]);
};

/** @returns the middleware that redirects pages from `[::1]`, which no policy can name, to 127.0.0.1. */
export const leaveUnnamedHost =
  (answers: Answers, { consoleNames, urls }: Pick<Deps, "consoleNames" | "urls">) =>
  (req: Request, res: Response, next: NextFunction): void => {
    const isUnnamed = req.headers.host?.startsWith("[::1]") === true && consoleNames().includes("127.0.0.1");
    // A page's path begins with one slash, so it leads to no other host.
    if (isUnnamed && isPage(req.path)) answers.send(res, 307, null, { Location: urls().console + req.originalUrl });
    else next();
  };
