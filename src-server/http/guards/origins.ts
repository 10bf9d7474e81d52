/** Framing of the demo app, which auth serves: only the console may embed it. */

import type { NextFunction, Request, Response } from "express";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { isPage } from "../answering/ui.ts";
import type { Place } from "../deps.ts";
import type { Answers } from "../handler.ts";

/** @returns the origins of a public URL: with every name of the console if it is that of a port published elsewhere. */
const publicOrigins = ({ consoleNames }: Place, url: string): readonly string[] => {
  if (!isLoopbackUrl(url)) return [url];
  const { protocol, port } = new URL(url);
  return consoleNames().map((name) => `${protocol}//${name}${port === "" ? "" : `:${port}`}`);
};

/** @returns the console's origins as browsers and policies name them: `http://localhost:4012`. */
export const consoleOrigins = (place: Place): readonly string[] => {
  const port = new URL(place.listening().console).port || 80;
  const own = place.consoleNames().map((name) => `http://${name}:${port}`);
  return [...new Set([...own, ...publicOrigins(place, place.urls().console)])];
};

/** @returns auth's origins under the console's host names, including TLS while that is on. */
export const authOrigins = (place: Place): readonly string[] => {
  const { http, tls } = place.network().ports();
  const own = place
    .consoleNames()
    .flatMap((name) => [`http://${name}:${http}`, ...(tls === null ? [] : [`https://${name}:${tls}`])]);
  return [...new Set([...own, ...publicOrigins(place, place.urls().auth)])];
};

/** @returns middleware that redirects pages from `[::1]`, which no policy can name, to 127.0.0.1. */
export const leaveUnnamedHost =
  (answers: Answers, { consoleNames }: Place) =>
  (req: Request, res: Response, next: NextFunction): void => {
    const { host = "" } = req.headers;
    const isUnnamed = host.startsWith("[::1]") && consoleNames().includes("127.0.0.1");
    const named = `http://${host.replace("[::1]", "127.0.0.1")}`;
    // The path of a page begins with a single slash, so the redirect stays on this host.
    if (isUnnamed && isPage(req.path)) answers.send(res, 307, null, { Location: named + req.originalUrl });
    else next();
  };
