/**
 * Who may use a console that is open to other machines (CONTRACT 1, `--console-host`): whoever sends the access token, and
 * the browsers that exchanged it, or a one-time code, for a cookie.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { NextFunction, Request, Response } from "express";
import type { Answers } from "./answer.ts";
import { bearerToken } from "./auth.ts";
import { isPage } from "./ui.ts";

/** The query parameter that carries a one-time code, and the one that carries the access token. */
export const ACCESS_CODE = "access_code";
const ACCESS_TOKEN = "access_token";
/** How long a one-time code works, in milliseconds. */
const CODE_MS = 60_000;
/** So many unused codes, and so many browsers, are remembered; the oldest go. */
const MOST = 100;

const secret = (): string => randomBytes(24).toString("base64url");
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Secrets that this process made, by their digests: a look-up tells nothing of the text that was given. */
class Secrets {
  /** Digest to when it was made, oldest first. */
  readonly #made = new Map<string, number>();

  /** @returns a new secret. */
  make(nowMs: number): string {
    const made = secret();
    this.#made.set(digest(made).toString("hex"), nowMs);
    const [oldest] = this.#made.keys();
    if (this.#made.size > MOST && oldest !== undefined) this.#made.delete(oldest);
    return made;
  }

  /** @returns when this secret was made; undefined if it is none, or was forgotten. */
  madeAt(given: string): number | undefined {
    return this.#made.get(digest(given).toString("hex"));
  }

  forget(given: string): void {
    this.#made.delete(digest(given).toString("hex"));
  }
}

/** The credentials of one console. */
export class ConsoleAccess {
  /** For the `Authorization` header; in a page's address it is exchanged for a cookie. */
  readonly token: string;
  readonly #digest: Buffer;
  readonly #codes = new Secrets();
  readonly #browsers = new Secrets();
  readonly #monotonic: () => number;

  /** @param monotonic milliseconds of a clock that never goes back. @param token null: a new one. */
  constructor(monotonic: () => number, token: string | null) {
    this.token = token ?? secret();
    this.#digest = digest(this.token);
    this.#monotonic = monotonic;
  }

  /** @returns a code for a page's address. It works once, within a minute: it may stand where others can read it. */
  createCode(): string {
    return this.#codes.make(this.#monotonic());
  }

  /** Uses a code up. @returns whether it still worked. */
  useCode(given: string): boolean {
    const madeAt = this.#codes.madeAt(given);
    this.#codes.forget(given);
    return madeAt !== undefined && this.#monotonic() - madeAt < CODE_MS;
  }

  /** @returns the value of a new browser's cookie. */
  createBrowser(): string {
    return this.#browsers.make(this.#monotonic());
  }

  isBrowser(cookie: string): boolean {
    return this.#browsers.madeAt(cookie) !== undefined;
  }

  isToken(given: string): boolean {
    return timingSafeEqual(digest(given), this.#digest);
  }
}

/** @returns the name of the cookie. Browsers send cookies to every port of a host: the port keeps two consoles apart. */
const cookieName = (req: Request): string => `stagedoor-${/:(\d+)$/.exec(req.headers.host ?? "")?.[1] ?? "80"}`;

const cookieOf = (req: Request): string | undefined => {
  const start = `${cookieName(req)}=`;
  const parts = req.headers.cookie?.split(";").map((part) => part.trim());
  return parts?.find((part) => part.startsWith(start))?.slice(start.length);
};

/**
 * @returns the middleware that asks for the token or the cookie. The address of a page may carry the token or a one-time
 * code: that sets the cookie and redirects to the address without it.
 */
export const requireAccess = (answers: Answers, access: ConsoleAccess) => {
  const has = (given: string | null | undefined, fits: (given: string) => boolean): boolean =>
    typeof given === "string" && fits(given);
  return (req: Request, res: Response, next: NextFunction): void => {
    const isKnown =
      has(bearerToken(req), (given) => access.isToken(given)) || has(cookieOf(req), (given) => access.isBrowser(given));
    const mark = req.url.indexOf("?");
    const query = new URLSearchParams(mark < 0 ? "" : req.url.slice(mark));
    const [code, token] = [query.get(ACCESS_CODE), query.get(ACCESS_TOKEN)];
    if (req.method !== "GET" || !isPage(req.path) || (code === null && token === null)) {
      if (isKnown) next();
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
    // A page's path: it begins with one slash, so it leads to no other host.
    const path = req.url.slice(0, mark);
    const cookie = `${cookieName(req)}=${access.createBrowser()}; HttpOnly; SameSite=Strict; Path=/`;
    answers.send(res, 303, null, {
      Location: query.size === 0 ? path : `${path}?${query.toString()}`,
      ...(isNew ? { "Set-Cookie": cookie } : {}),
    });
  };
};
