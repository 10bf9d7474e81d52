/** Who may ask: the shape of the request and the name it was asked by (CONTRACT 1), before anything is looked at. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { NextFunction, Request, Response } from "express";
import { BOUNDS } from "#contract/bounds.ts";
import type { Problem } from "#contract/problems.ts";
import type { Answers } from "./answer.ts";
import { rawHeader } from "./auth.ts";
import { isPage } from "./ui.ts";

/** @returns whether a listener answers to this name: in small letters, IPv6 without brackets. */
export type HostRule = (name: string) => boolean;

/** Admin: IP literals, localhost and below, this machine's name, the names containers have for their host, what is allowed besides. */
export const adminHostRule = (machine: string, allowed: readonly string[]): HostRule => {
  const own = machine.toLowerCase();
  const names = new Set([
    "localhost",
    own,
    `${own}.local`,
    "host.docker.internal",
    "host.containers.internal",
    ...allowed,
  ]);
  return (name) => names.has(name) || isIP(name) !== 0 || name.endsWith(".localhost");
};

/** Console: IP literals and localhost; allowed names only once it is open to other machines. */
export const consoleHostRule = (allowed: readonly string[]): HostRule => {
  const names = new Set(["localhost", ...allowed]);
  return (name) => names.has(name) || isIP(name) !== 0;
};

/** Auth takes any name: it is open to every origin anyway. */
export const anyHost: HostRule = () => true;

/** @returns the name in a Host header, undefined if it is none. `127.1` and the like come out as IP addresses. */
const hostName = (header: string): string | undefined => {
  if (header.length > BOUNDS.hostLength.most || !/^[\w.:[\]-]+$/.test(header)) return undefined;
  try {
    const url = new URL(`http://${header}`);
    return url.hostname.replace(/^\[(.*)\]$/, "$1");
  } catch {
    return undefined;
  }
};

/** How many Host headers are remembered with their verdict. */
const REMEMBERED = 100;

/** @returns a check of the target and the Host header by this rule. */
export const createHostCheck = (rule: HostRule): ((req: IncomingMessage) => Problem | undefined) => {
  const verdicts = new Map<string, Problem | undefined>();
  const judge = (header: string): Problem | undefined => {
    const name = hostName(header);
    if (name === undefined) return { code: "bad_host" };
    return rule(name) ? undefined : { code: "misdirected_host" };
  };
  return (req) => {
    const { url, httpVersion } = req;
    if (url === undefined || !url.startsWith("/") || url.includes("#")) return { code: "bad_target" };
    if (httpVersion !== "1.1" && httpVersion !== "1.0") return { code: "bad_target" };
    const [header, second] = rawHeader(req, "host");
    if (header === undefined || second !== undefined) return { code: "bad_host" };
    if (verdicts.has(header)) return verdicts.get(header);
    const verdict = judge(header);
    // A long one is refused; it need not be kept for that.
    if (verdicts.size < REMEMBERED && header.length <= BOUNDS.hostLength.most) verdicts.set(header, verdict);
    return verdict;
  };
};

/** @returns whether a browser navigates to a page of the UI, from wherever: it can read nothing by that. */
const isPageNavigation = (req: Request): boolean =>
  req.method === "GET" &&
  req.headers["sec-fetch-mode"] === "navigate" &&
  req.headers["sec-fetch-dest"] === "document" &&
  isPage(req.path);

/** The console answers its own pages and local programs: not a page of another origin (CONTRACT 1). */
export const originProblem = (req: Request): Problem | undefined => {
  const { origin, host } = req.headers;
  if (origin !== undefined && origin !== `http://${host}`) return { code: "foreign_origin" };
  const site = req.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none" || isPageNavigation(req)) return undefined;
  return { code: "foreign_origin" };
};

/** @returns the middleware that refuses what a check finds. */
export const refuseBy =
  (answers: Answers, check: (req: Request) => Problem | undefined) =>
  (req: Request, res: Response, next: NextFunction): void => {
    const found = check(req);
    if (found === undefined) next();
    else answers.refuse(res, found);
  };
