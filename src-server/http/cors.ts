/** CORS of auth: any origin, no credentials (CONTRACT 1). */

import type { NextFunction, Request, Response } from "express";
import { frozen } from "#contract/frozen.ts";
import type { Answers } from "./handler.ts";

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
