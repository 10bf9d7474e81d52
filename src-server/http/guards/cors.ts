/** CORS of auth, for any origin without credentials, and of the control API, for pages of tests. */

import type { NextFunction, Request, Response } from "express";
import type { Answers, Headers } from "../handler.ts";

/** CORS headers of every response of auth. */
export const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Emulator, Emulator-Request-Id, Emulator-Reason, Emulator-Fault, Emulator-Instruction, Emulator-Clock-Offset, " +
    "Retry-After, Allow, WWW-Authenticate, Link, Current-Page, Page-Items, Total-Count, Total-Pages",
} as const;

/** @returns whether a browser asks what it may send. */
const isPreflight = ({ method, headers }: Request): boolean =>
  method === "OPTIONS" && headers["access-control-request-method"] !== undefined;

/** Answers a preflight. Reflects the requested headers, because `*` would not cover Authorization. */
const answerPreflight = (answers: Answers, req: Request, res: Response, methods: string, more?: Headers): void => {
  const requested = req.headers["access-control-request-headers"];
  answers.send(res, 204, null, {
    "Access-Control-Allow-Methods": methods,
    ...(requested === undefined ? {} : { "Access-Control-Allow-Headers": String(requested) }),
    "Access-Control-Max-Age": "600",
    ...more,
  });
};

/** Answers preflights of auth. */
export const allowAnyOrigin = (answers: Answers) => (req: Request, res: Response, next: NextFunction) => {
  if (!isPreflight(req)) next();
  else answerPreflight(answers, req, res, "GET, HEAD, POST, PUT, DELETE", { Vary: "Access-Control-Request-Headers" });
};

/** Lets the pages of tests use the control API, if their origins were named at the start. */
export const allowTestOrigins =
  (answers: Answers, origins: readonly string[]) => (req: Request, res: Response, next: NextFunction) => {
    const { origin } = req.headers;
    if (origin === undefined || !origins.includes(origin) || !req.path.startsWith("/emulator/v1/")) return next();
    res.locals["testOrigin"] = true;
    res.setHeader("Access-Control-Allow-Origin", origin);
    res.setHeader("Access-Control-Expose-Headers", "Emulator, Emulator-Reason, Emulator-Instruction, Retry-After");
    res.setHeader("Vary", "Origin");
    if (!isPreflight(req)) next();
    else answerPreflight(answers, req, res, "GET, HEAD, POST, PUT, PATCH, DELETE");
  };
