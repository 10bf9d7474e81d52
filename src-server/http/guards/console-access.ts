/** Access to an open console: with the access token, or a cookie in exchange for it or for a one-time code. */

import { randomBytes } from "node:crypto";
import type { NextFunction, Request, Response } from "express";
import { Recent } from "#contract/recent.ts";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { isPage } from "../answering/ui.ts";
import type { Answers, Headers } from "../handler.ts";
import { bearerToken, CHALLENGE, queryIn } from "./auth.ts";
import type { Admit } from "./bound-tokens.ts";
import { digest, isSame } from "./same-secret.ts";

/** The query parameters for a one-time code and for the access token. */
export const ACCESS_CODE = "access_code";
const ACCESS_TOKEN = "access_token";
/** The paths that others than the holder of the access token can reach. */
const API = "/emulator/v1/";
/** Lifetime of a one-time code in milliseconds. */
const CODE_MS = 60_000;
/** Maximum number of unused codes, and of browsers; the oldest are dropped. */
const MOST = 100;

const secret = (): string => randomBytes(24).toString("base64url");

/** Generated secrets, stored by digest so that a look-up leaks no timing. */
const createSecrets = (monotonic: () => number) => {
  /** Digest to creation time. */
  const made = new Recent<string, number>(MOST);
  const keyOf = (text: string): string => digest(text).toString("hex");
  /** @returns whether this secret was made at most that long ago, and not dropped. */
  const has = (given: string, mostMs: number): boolean => monotonic() - (made.get(keyOf(given)) ?? -Infinity) < mostMs;
  return {
    has,
    make: (): string => {
      const next = secret();
      made.set(keyOf(next), monotonic());
      return next;
    },
    /** @returns as `has`, and forgets the secret. */
    use: (given: string, mostMs: number): boolean => {
      const isValid = has(given, mostMs);
      made.delete(keyOf(given));
      return isValid;
    },
  };
};

/** @param monotonic monotonic milliseconds. @param token null: generate one. */
export const createAccess = (monotonic: () => number, token: string | null) => ({
  /** For the `Authorization` header; in a page URL it is exchanged for a cookie. */
  token: token ?? secret(),
  /** Codes for a page URL. Each works once, within a minute, because others may see the URL. */
  codes: createSecrets(monotonic),
  browsers: createSecrets(monotonic),
});
/** The credentials of one console. */
export type ConsoleAccess = ReturnType<typeof createAccess>;

/** @returns the cookie name. It includes the port, because browsers send cookies to every port of a host. */
const cookieName = (req: Request): string => `stagedoor-${/:(\d+)$/.exec(req.headers.host ?? "")?.[1] ?? "80"}`;

/** @returns whether the browser asked by https, through a proxy: `Sec-Fetch-…` comes by http from loopback alone. */
const isHttps = ({ headers: { host = "", origin, "sec-fetch-site": site } }: Request): boolean =>
  origin === undefined
    ? site !== undefined && !isLoopbackUrl(`http://${host.toLowerCase()}`)
    : origin.startsWith("https:");

const cookieOf = (req: Request): string | undefined => {
  const start = `${cookieName(req)}=`;
  const parts = req.headers.cookie?.split(";").map((part) => part.trim());
  return parts?.find((part) => part.startsWith(start))?.slice(start.length);
};

const isKnown = (req: Request, { token, browsers }: ConsoleAccess): boolean => {
  const [bearer, cookie] = [bearerToken(req), cookieOf(req)];
  return (bearer !== undefined && isSame(bearer, token)) || (cookie !== undefined && browsers.has(cookie, Infinity));
};

/** @returns the headers for a page URL with token or code: the cookie, and the URL without; undefined: it has none. */
const entrance = (req: Request, { token, codes, browsers }: ConsoleAccess): Headers | undefined => {
  const query = queryIn(req.url);
  const [given, code] = [query.get(ACCESS_TOKEN), query.get(ACCESS_CODE)];
  if (req.method !== "GET" || !isPage(req.path) || (code === null && given === null)) return undefined;
  const isNew = (given !== null && isSame(given, token)) || (code !== null && codes.use(code, CODE_MS));
  query.delete(ACCESS_CODE);
  query.delete(ACCESS_TOKEN);
  // The path of a page begins with a single slash, so the redirect stays on this host.
  const [path = ""] = req.url.split("?", 1);
  const attributes = `HttpOnly; SameSite=Strict; Path=/${isHttps(req) ? "; Secure" : ""}`;
  const cookie = isNew && { "Set-Cookie": `${cookieName(req)}=${browsers.make()}; ${attributes}` };
  return { Location: query.size === 0 ? path : `${path}?${query.toString()}`, ...cookie };
};

/** @returns middleware that requires token or cookie; a page URL with token or code gets the cookie and a redirect. */
export const requireAccess =
  (answers: Answers, access: ConsoleAccess, admit: Admit | null) =>
  (req: Request, res: Response, next: NextFunction) => {
    const bearer = bearerToken(req);
    const refuse = (): void => answers.refuse(res, { code: "missing_access_token", ...CHALLENGE });
    const entered = entrance(req, access);
    const isIn = isKnown(req, access);
    if (entered !== undefined)
      return "Set-Cookie" in entered || isIn ? answers.send(res, 303, null, entered) : refuse();
    if (isIn) return next();
    if (bearer === undefined) return refuse();
    const holder = admit?.(bearer);
    if (holder === undefined) return refuse();
    if (holder === "ended") return answers.refuse(res, { code: "app_ended" });
    if (!req.path.startsWith(API)) return answers.refuse(res, { code: "not_your_app" });
    res.locals["holder"] = holder;
    next();
  };
