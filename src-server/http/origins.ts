/** Framing for the stage: the console may embed auth's demo app, and nobody else may (CONTRACT 10). */
import type { NextFunction, Request, Response } from "express";
import type { Answers } from "./answer.ts";
import type { Deps } from "./deps.ts";
import { isPage } from "./ui.ts";

/** @returns the console's origins as browsers and policies name them: `http://localhost:4012`. */
export const consoleOrigins = ({ consoleNames, urls }: Pick<Deps, "consoleNames" | "urls">): readonly string[] =>
  consoleNames().map((name) => `http://${name}:${new URL(urls().console).port || 80}`);

/** @returns auth's origins under the console's host names, including TLS while that is on. */
export const authOrigins = ({ consoleNames, network }: Pick<Deps, "consoleNames" | "network">): readonly string[] => {
  const { http, tls } = network().ports();
  return consoleNames().flatMap((name) => [
    `http://${name}:${http}`,
    ...(tls === null ? [] : [`https://${name}:${tls}`]),
  ]);
};

/** @returns middleware that redirects pages from `[::1]`, which no policy can name, to 127.0.0.1. */
export const leaveUnnamedHost =
  (answers: Answers, { consoleNames, urls }: Pick<Deps, "consoleNames" | "urls">) =>
  (req: Request, res: Response, next: NextFunction): void => {
    const isUnnamed = req.headers.host?.startsWith("[::1]") === true && consoleNames().includes("127.0.0.1");
    // The path of a page begins with a single slash, so the redirect stays on this host.
    if (isUnnamed && isPage(req.path)) answers.send(res, 307, null, { Location: urls().console + req.originalUrl });
    else next();
  };
