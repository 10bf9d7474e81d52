/**
 * Access to a console that is open to other machines (CONTRACT 1, `--console-host`): with the access token, or with a
 * cookie that a browser gets in exchange for the token or a one-time code.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { NextFunction, Request, Response } from "express";
import type { World } from "#domain/world.ts";
import type { Answers } from "./answer.ts";
import { bearerToken } from "./auth.ts";
import { BoundTokens, type Visitor } from "./confinement.ts";
import { isPage } from "./ui.ts";

/** The query parameters for a one-time code and for the access token. */
export const ACCESS_CODE = "access_code";
const ACCESS_TOKEN = "access_token";
/** The paths that app-bound tokens can access. */
const API = "/emulator/v1/";
/** Lifetime of a one-time code in milliseconds. */
const CODE_MS = 60_000;
/** Maximum number of unused codes, and of browsers; the oldest are dropped. */
const MOST = 100;

const secret = (): string => randomBytes(24).toString("base64url");
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Generated secrets, stored by digest so that a look-up leaks no timing. */
class Secrets {
  /** Digest to creation time, oldest first. */
  readonly #made = new Map<string, number>();

  /** @returns a new secret. */
  make(nowMs: number): string {
    const made = secret();
    this.#made.set(digest(made).toString("hex"), nowMs);
    const [oldest] = this.#made.keys();
    if (this.#made.size > MOST && oldest !== undefined) this.#made.delete(oldest);
    return made;
  }

  /** @returns the creation time of this secret; undefined if it is unknown or was dropped. */
  madeAt(given: string): number | undefined {
    return this.#made.get(digest(given).toString("hex"));
  }

  forget(given: string): void {
    this.#made.delete(digest(given).toString("hex"));
  }
}

/** The credentials of one console. */
export class ConsoleAccess {
  /** For the `Authorization` header; in a page URL it is exchanged for a cookie. */
  readonly token: string;
  /** Tokens bound to apps; null without a join token. */
  readonly bound: BoundTokens | null;
  readonly #digest: Buffer;
  readonly #joinDigest: Buffer;
  readonly #codes = new Secrets();
  readonly #browsers = new Secrets();
  readonly #monotonic: () => number;

  /** @param monotonic monotonic milliseconds. @param token null: generate one. @param joinToken null: none. */
  constructor(monotonic: () => number, token: string | null, joinToken: string | null) {
    this.token = token ?? secret();
    this.bound = joinToken === null ? null : new BoundTokens(joinToken);
    this.#joinDigest = digest(joinToken ?? secret());
    this.#digest = digest(this.token);
    this.#monotonic = monotonic;
  }

  /** @returns a code for a page URL. It works once, within a minute, because others may see the URL. */
  createCode(): string {
    return this.#codes.make(this.#monotonic());
  }

  /** Uses up a code. @returns whether it was valid. */
  useCode(given: string): boolean {
    const madeAt = this.#codes.madeAt(given);
    this.#codes.forget(given);
    return madeAt !== undefined && this.#monotonic() - madeAt < CODE_MS;
  }

  /** @returns the cookie value for a new browser. */
  createBrowser(): string {
    return this.#browsers.make(this.#monotonic());
  }

  isBrowser(cookie: string): boolean {
    return this.#browsers.madeAt(cookie) !== undefined;
  }

  isJoinToken(given: string): boolean {
    return this.bound !== null && timingSafeEqual(digest(given), this.#joinDigest);
  }

  isToken(given: string): boolean {
    return timingSafeEqual(digest(given), this.#digest);
  }
}

/** @returns the cookie name. It includes the port, because browsers send cookies to every port of a host. */
const cookieName = (req: Request): string => `stagedoor-${/:(\d+)$/.exec(req.headers.host ?? "")?.[1] ?? "80"}`;

const cookieOf = (req: Request): string | undefined => {
  const start = `${cookieName(req)}=`;
  const parts = req.headers.cookie?.split(";").map((part) => part.trim());
  return parts?.find((part) => part.startsWith(start))?.slice(start.length);
};

/**
 * @returns middleware that requires the token or the cookie. If a page URL has the token or a one-time code, it sets
 * the cookie and redirects to the URL without it.
 */
export const requireAccess = (answers: Answers, access: ConsoleAccess, world: () => World) => {
  /** The visitor with a join token or an app-bound token. */
  const visitorWith = (given: string | undefined): Visitor | undefined => {
    if (given === undefined || access.bound === null) return undefined;
    if (access.isJoinToken(given)) return { may: "join" };
    const app = access.bound.appOf(given, world());
    return app === undefined ? undefined : { may: "app", appId: app.app.appId };
  };
  const has = (given: string | null | undefined, fits: (given: string) => boolean): boolean =>
    typeof given === "string" && fits(given);
  return (req: Request, res: Response, next: NextFunction): void => {
    const isKnown =
      has(bearerToken(req), (given) => access.isToken(given)) || has(cookieOf(req), (given) => access.isBrowser(given));
    const mark = req.url.indexOf("?");
    const query = new URLSearchParams(mark < 0 ? "" : req.url.slice(mark));
    const [code, token] = [query.get(ACCESS_CODE), query.get(ACCESS_TOKEN)];
    if (req.method !== "GET" || !isPage(req.path) || (code === null && token === null)) {
      const visitor = isKnown ? undefined : visitorWith(bearerToken(req));
      if (visitor !== undefined) res.locals["visitor"] = visitor;
      if (visitor !== undefined && !req.path.startsWith(API)) answers.refuse(res, { code: "not_your_app" });
      else if (isKnown || visitor !== undefined) next();
      else answers.refuse(res, { code: "missing_access_token", headers: { "WWW-Authenticate": "Bearer" } });
      return;
    }
    const isNew = has(token, (given) => access.isToken(given)) || has(code, (given) => access.useCode(given));
    if (!isNew && !isKnown) {
      answers.refuse(res, { code: "missing_access_token", headers: { "WWW-Authenticate": "Bearer" } });
      return;
    }
    query.delete(ACCESS_CODE);
    query.delete(ACCESS_TOKEN);
    // The path of a page begins with a single slash, so the redirect stays on this host.
    const path = req.url.slice(0, mark);
    const cookie = `${cookieName(req)}=${access.createBrowser()}; HttpOnly; SameSite=Strict; Path=/`;
    answers.send(res, 303, null, {
      Location: query.size === 0 ? path : `${path}?${query.toString()}`,
      ...(isNew ? { "Set-Cookie": cookie } : {}),
    });
  };
};
