/** Framing of the demo app, which auth serves: only the console may embed it (CONTRACT 10). */

import type { NextFunction, Request, Response } from "express";
import { isLoopbackUrl } from "#contract/loopback.ts";
import type { Deps } from "./deps.ts";
import type { Answers } from "./handler.ts";
import { isPage } from "./ui.ts";

type Known = Pick<Deps, "consoleNames" | "urls" | "listening">;

/** @returns the origins of a public URL: with every name of the console if it is that of a port published elsewhere. */
const publicOrigins = ({ consoleNames }: Known, url: string): readonly string[] => {
  if (!isLoopbackUrl(url)) return [url];
  const { protocol, port } = new URL(url);
  return consoleNames().map((name) => `${protocol}//${name}${port === "" ? "" : `:${port}`}`);
};

const unique = (origins: readonly string[]): readonly string[] => [...new Set(origins)];

/** @returns the console's origins as browsers and policies name them: `http://localhost:4012`. */
export const consoleOrigins = (deps: Known): readonly string[] => {
  const port = new URL(deps.listening().console).port || 80;
  const own = deps.consoleNames().map((name) => `http://${name}:${port}`);
  return unique([...own, ...publicOrigins(deps, deps.urls().console)]);
};

/** @returns auth's origins under the console's host names, including TLS while that is on. */
export const authOrigins = (deps: Known & Pick<Deps, "network">): readonly string[] => {
  const { http, tls } = deps.network().ports();
  const own = deps
    .consoleNames()
    .flatMap((name) => [`http://${name}:${http}`, ...(tls === null ? [] : [`https://${name}:${tls}`])]);
  return unique([...own, ...publicOrigins(deps, deps.urls().auth)]);
};

/** @returns middleware that redirects pages from `[::1]`, which no policy can name, to 127.0.0.1. */
export const leaveUnnamedHost =
  (answers: Answers, { consoleNames }: Pick<Deps, "consoleNames">) =>
  (req: Request, res: Response, next: NextFunction): void => {
    const { host = "" } = req.headers;
    const isUnnamed = host.startsWith("[::1]") && consoleNames().includes("127.0.0.1");
    const named = `http://${host.replace("[::1]", "127.0.0.1")}`;
    // The path of a page begins with a single slash, so the redirect stays on this host.
    if (isUnnamed && isPage(req.path)) answers.send(res, 307, null, { Location: named + req.originalUrl });
    else next();
  };
