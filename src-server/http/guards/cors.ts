/** CORS of auth, for any origin without credentials, and of the control API, for pages of tests. */

import type { NextFunction, Request, Response } from "express";
import { frozen } from "#contract/frozen.ts";
import type { Answers } from "../handler.ts";

/** CORS headers of every response of auth. */
export const CORS_HEADERS = frozen({
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Emulator, Emulator-Request-Id, Emulator-Reason, Emulator-Fault, Emulator-Instruction, Emulator-Clock-Offset, " +
    "Retry-After, Allow, WWW-Authenticate, Link, Current-Page, Page-Items, Total-Count, Total-Pages",
} as const);

/** Answers preflights. Reflects the requested headers, because `*` would not cover Authorization. */
export const allowAnyOrigin = (answers: Answers) => (req: Request, res: Response, next: NextFunction) => {
  if (req.method !== "OPTIONS" || req.headers["access-control-request-method"] === undefined) return next();
  const requested = req.headers["access-control-request-headers"];
  answers.send(res, 204, null, {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
    ...(requested === undefined ? {} : { "Access-Control-Allow-Headers": requested }),
    "Access-Control-Max-Age": "600",
    Vary: "Access-Control-Request-Headers",
  });
};

/** Lets the pages of tests use the control API, if their origins were named at the start. */
export const allowTestOrigins =
  (answers: Answers, origins: readonly string[]) => (req: Request, res: Response, next: NextFunction) => {
    const { origin, "access-control-request-headers": requested } = req.headers;
    if (origin === undefined || !origins.includes(origin) || !req.path.startsWith("/emulator/v1/")) return next();
    res.locals["testOrigin"] = true;
    res.setHeader("Access-Control-Allow-Origin", origin);
    res.setHeader("Access-Control-Expose-Headers", "Emulator, Emulator-Reason, Emulator-Instruction, Retry-After");
    res.setHeader("Vary", "Origin");
    if (req.method !== "OPTIONS" || req.headers["access-control-request-method"] === undefined) return next();
    answers.send(res, 204, null, {
      "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      ...(requested === undefined ? {} : { "Access-Control-Allow-Headers": requested }),
      "Access-Control-Max-Age": "600",
    });
  };
