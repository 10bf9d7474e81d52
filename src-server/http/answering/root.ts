/** `GET /` on admin and auth: what this is and where to go, for people and for tools that wait. */

import type { NextFunction, Request, Response } from "express";
import type { Deps } from "../deps.ts";
import type { Answers } from "../handler.ts";
import { exchangeOf } from "../traffic/exchange.ts";
import { escaped, page } from "./html.ts";

type Service = "admin" | "auth";

const ABOUT: Readonly<Record<Service, readonly [title: string, text: string, path: string]>> = {
  admin: ["Admin API", "Your backend calls it, with the secret of an app.", "/v1/profiles"],
  auth: ["Session API", "Your app calls it to sign users up and in.", "/v1/users/session"],
};

const html = (
  listener: Service,
  { program: { version }, place: { urls } }: Pick<Deps, "program" | "place" | "store">,
) => {
  const [title, text, path] = ABOUT[listener];
  const [own, console] = [urls()[listener], urls().console].map(escaped);
  return page(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Stagedoor: ${title}</title><h1>Stagedoor ${escaped(version)}: ${title}</h1><p>${text} The operations are below <code>${own}${path}</code>.</p><p>Codes, users and requests are in the <a href="${console}">console</a>; <a href="${console}/setup">Setup</a> has commands to try.</p></html>`,
    "style-src 'none'",
    "'none'",
  );
};

/** @returns middleware that answers `GET /` and `HEAD /`; the request log does not have them. */
export const answerRoot =
  (listener: Service, answers: Answers, deps: Pick<Deps, "program" | "place" | "store">) =>
  (req: Request, res: Response, next: NextFunction) => {
    if (req.path !== "/") return next();
    if (req.method !== "GET" && req.method !== "HEAD") {
      const instruction = `Nothing takes ${req.method} here. Use ${deps.place.urls()[listener]}${ABOUT[listener][2]}`;
      return answers.refuse(res, { code: "method_not_allowed", instruction, headers: { Allow: "GET, HEAD" } });
    }
    exchangeOf(res).isProbe = true;
    const wantsPage = req.accepts(["application/json", "text/html"]) === "text/html";
    const { version } = deps.program;
    const about = {
      name: "stagedoor",
      version,
      interface: listener,
      console: deps.place.urls().console,
      ready: deps.store.unwritable() === undefined,
    };
    const { text, headers, contentType } = wantsPage
      ? html(listener, deps)
      : { text: JSON.stringify(about), headers: {}, contentType: undefined };
    answers.send(res, 200, text, { ...headers, Vary: "Accept" }, contentType);
  };

const NO_CORS =
  "Admin has no CORS: it takes the app's secret, which no page may have. Let your backend ask, or the auth URL for what an app does.";

/** @returns middleware that tells a page that asks admin why it gets nothing. */
export const explainNoCors = (answers: Answers) => (req: Request, res: Response, next: NextFunction) => {
  const { origin, "access-control-request-method": asked } = req.headers;
  if (origin !== undefined) res.setHeader("Emulator-Instruction", NO_CORS);
  if (req.method !== "OPTIONS" || asked === undefined) next();
  else
    answers.refuse(res, {
      code: "method_not_allowed",
      instruction: NO_CORS,
      headers: { Allow: "GET, HEAD, POST, PUT, DELETE" },
    });
};
