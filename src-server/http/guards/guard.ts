/** Checks the request target and the Host header before anything else. */

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { NextFunction, Request, Response } from "express";
import { BOUNDS } from "#contract/bounds.ts";
import type { Problem } from "#contract/service/problems.ts";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { isPage } from "../answering/ui.ts";
import { expectsContinue } from "../bodies/read-body.ts";
import type { Answers } from "../handler.ts";
import { rawHeader } from "./auth.ts";

/** @returns whether a listener accepts this host name: in lower case, IPv6 without brackets. */
export type HostRule = (name: string) => boolean;

/** Admin: IP literals, `localhost`, `*.localhost`, this machine's name, container names of the host, allowed names. */
export const adminHostRule = (machine: string, allowed: readonly string[]): HostRule => {
  const own = machine.toLowerCase();
  const isAllowed = consoleHostRule([
    own,
    `${own}.local`,
    "host.docker.internal",
    "host.containers.internal",
    ...allowed,
  ]);
  return (name) => isAllowed(name) || name.endsWith(".localhost");
};

/** Console: IP literals, localhost and allowed names. */
export const consoleHostRule = (allowed: readonly string[]): HostRule => {
  const names = new Set(["localhost", ...allowed]);
  return (name) => names.has(name) || isIP(name) !== 0;
};

/** @returns the name in a Host header; undefined if invalid. Forms such as `127.1` become IP addresses. */
const hostName = (header: string): string | undefined => {
  if (header.length > BOUNDS.hostLength.most || !/^[\w.:[\]-]+$/.test(header)) return undefined;
  try {
    const url = new URL(`http://${header}`);
    return url.hostname.replace(/^\[(.*)\]$/, "$1");
  } catch {
    return undefined;
  }
};

/** How many Host headers are cached with their result. */
const REMEMBERED = 100;

/** @returns a check of target and Host header by this rule. */
export const createHostCheck = (rule: HostRule): ((req: IncomingMessage) => Problem | undefined) => {
  const verdicts = new Map<string, Problem | undefined>();
  const judge = (header: string): Problem | undefined => {
    const name = hostName(header);
    if (name === undefined) return { code: "bad_host" };
    return rule(name) ? undefined : { code: "misdirected_host" };
  };
  return ({ url = "", httpVersion, rawHeaders }) => {
    const isHttp1 = httpVersion === "1.1" || httpVersion === "1.0";
    if (!isHttp1 || !url.startsWith("/") || url.includes("#")) return { code: "bad_target" };
    const [header, second] = rawHeader({ rawHeaders }, "host");
    if (header === undefined || second !== undefined) return { code: "bad_host" };
    if (verdicts.has(header)) return verdicts.get(header);
    const verdict = judge(header);
    // A long header is refused and need not be cached.
    if (verdicts.size < REMEMBERED && header.length <= BOUNDS.hostLength.most) verdicts.set(header, verdict);
    return verdict;
  };
};

/** Refuses expectations other than a 100; HTTP/1.0 has none. */
export const expectationProblem = (req: IncomingMessage): Problem | undefined =>
  req.headers.expect === undefined || req.httpVersion === "1.0" || expectsContinue(req)
    ? undefined
    : { code: "unknown_expectation" };

/** @returns whether a browser navigates to a UI page, from any site, which gives that site no access to the page. */
const isPageNavigation = (req: Request): boolean =>
  req.method === "GET" &&
  req.headers["sec-fetch-mode"] === "navigate" &&
  req.headers["sec-fetch-dest"] === "document" &&
  isPage(req.path);

/** @returns the refusal of a page of another origin, or of our own behind a proxy that changes `Host`. */
const foreignOrigin = (origin: string, host: string | undefined): Problem => {
  const isPlain = URL.canParse(origin) && new URL(origin).origin === origin;
  if (!isPlain) return { code: "foreign_origin" };
  const isLocal = isLoopbackUrl(origin) && isLoopbackUrl(`http://${host}`);
  if (isLocal)
    return {
      code: "foreign_origin",
      instruction:
        `The page that asks is at ${origin}: the console serves only its own pages. A test reads codes in its own ` +
        "process, with `stagedoor/client`, or with curl or any HTTP client. To let this page read them, start " +
        `Stagedoor with --test-origin ${origin}.`,
    };
  const instruction =
    `The page that asks is at ${origin}, but the Host header is ${host}. If this is the console behind a proxy, ` +
    "let the proxy pass Host as the browser sent it; in nginx, `proxy_set_header Host $http_host`.";
  return { code: "foreign_origin", instruction };
};

/** @returns whether it is the `Host` with either scheme, as behind a proxy, which may name the default port. */
const isOwnOrigin = (origin: string, host: string | undefined): boolean =>
  ["http", "https"].some((scheme) => {
    const own = `${scheme}://${host}`;
    return origin === own || (URL.canParse(own) && origin === new URL(own).origin);
  });

/** The console serves its own pages and local programs, but no pages of other origins. */
export const originProblem = (req: Request): Problem | undefined => {
  if (req.res?.locals["testOrigin"] === true) return undefined;
  const { origin, host } = req.headers;
  if (origin !== undefined && !isOwnOrigin(origin, host)) return foreignOrigin(origin, host);
  const site = req.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none" || isPageNavigation(req)) return undefined;
  return { code: "foreign_origin" };
};

/** @returns middleware that refuses requests for which the check returns a problem. */
export const refuseBy =
  (answers: Answers, check: (req: Request) => Problem | undefined) =>
  (req: Request, res: Response, next: NextFunction): void => {
    const found = check(req);
    if (found === undefined) next();
    else answers.refuse(res, found);
  };
