/**
 * The access token of a console that is open to other machines (CONTRACT 1, `--console-host`).
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { NextFunction, Request, Response } from "express";
import type { Answers } from "./answer.ts";
import { bearerToken } from "./auth.ts";

const COOKIE = "stagedoor_access";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const cookieToken = (req: Request): string | undefined =>
  req.headers.cookie
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);

/**
 * @param token what start printed.
 * @returns the middleware that asks for it: as a bearer token, as a cookie, or once as `?access_token=` in the address
 * of a page, which sets the cookie and leads on to the address without it.
 */
export const requireAccessToken = (answers: Answers, token: string) => {
  const expected = digest(token);
  const right = (given: string | undefined): boolean => given !== undefined && timingSafeEqual(digest(given), expected);
  return (req: Request, res: Response, next: NextFunction): void => {
    if (right(bearerToken(req)) || right(cookieToken(req))) {
      next();
      return;
    }
    const mark = req.url.indexOf("?");
    const query = new URLSearchParams(mark < 0 ? "" : req.url.slice(mark));
    if (req.method === "GET" && right(query.get("access_token") ?? undefined)) {
      query.delete("access_token");
      const rest = query.size === 0 ? "" : `?${query.toString()}`;
      // A path that begins with two slashes would lead to another host.
      const location = `/${req.url.slice(0, mark).replace(/^[/\\]+/, "")}${rest}`;
      answers.send(res, 303, null, {
        Location: location,
        "Set-Cookie": `${COOKIE}=${token}; HttpOnly; SameSite=Strict; Path=/`,
      });
      return;
    }
    answers.refuse(res, { code: "missing_access_token", headers: { "WWW-Authenticate": "Bearer" } });
  };
};
