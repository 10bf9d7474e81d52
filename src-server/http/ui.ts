/** Serves the built UI: one page with a fresh nonce in its policy, and its assets (CONTRACT 1, console). */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import express, { type Request, type RequestHandler, type Response, type Router } from "express";
import { SCREENS } from "#contract/screens.ts";

const NONCE = "__CSP_NONCE__";

const policy = (nonce: string, frames: readonly string[]): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
  `img-src 'self' data:; font-src 'self'; manifest-src 'self'; frame-src ${frames.join(" ")}; ` +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const NOT_BUILT =
  "<!doctype html><title>Stagedoor</title><p>The UI is not built yet: run <code>npm run build</code>. The control API is at /emulator/v1.</p>";

const PAGE = new RegExp(`^/((${SCREENS.join("|")})(/[^/]*)?)?$`);

/** @returns whether this is the path of a UI page. */
export const isPage = (path: string): boolean => PAGE.test(path);

/** @returns whether a browser requests an unknown page: it gets the UI, which says so, with a 404. */
const isLostPage = (req: Request): boolean =>
  /^\/[\w-]+(\/[\w-]+)?$/.test(req.path) &&
  !/^\/(emulator|openapi|assets|v1)(\/|$)/.test(req.path) &&
  (req.headers.accept ?? "").includes("text/html");

/** A Map, because the first `Headers` object of a process would cost a twentieth of the start time. */
const HEADERS = new Map([
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["X-Content-Type-Options", "nosniff"],
]);
/** Encodings and their file extensions in the build, smallest result first. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Serves the compressed form of a file if the build has one and the client accepts it. */
const preferCompressed =
  (dir: string): RequestHandler =>
  (req, res, next) => {
    res.vary("Accept-Encoding");
    const [encoding, suffix] = ENCODINGS.find(([name]) => req.acceptsEncodings(name)) ?? [];
    if (encoding !== undefined && /^\/[\w.-]+$/.test(req.path) && existsSync(join(dir, req.path + suffix))) {
      res.setHeader("Content-Encoding", encoding);
      res.type(extname(req.path));
      req.url = req.path + suffix;
    }
    next();
  };

/**
 * @param dir the folder of the built UI. @param frames returns the origins that its pages may frame; called per page.
 * @returns the router: `/assets/…` with immutable caching, all pages as index.html; everything else is passed on.
 */
export const createUi = (dir: string, frames: () => readonly string[]): Router => {
  const ui = express.Router();
  ui.use(async (req, res, next) => {
    if (req.method !== "GET" && req.method !== "HEAD") return next();
    const known = isPage(req.path);
    if (!known && !isLostPage(req)) return next();
    const nonce = randomBytes(16).toString("base64");
    const html = await readFile(join(dir, "index.html"), "utf8").catch(() => NOT_BUILT);
    res.writeHead(known ? 200 : 404, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy(nonce, frames()),
      "Cache-Control": "no-store",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    });
    res.end(html.replaceAll(NONCE, nonce));
  });
  const files = { index: false, redirect: false, setHeaders: (res: Response) => res.setHeaders(HEADERS) } as const;
  const assets = join(dir, "assets");
  ui.use("/assets", preferCompressed(assets), express.static(assets, { ...files, immutable: true, maxAge: "1y" }));
  ui.use(preferCompressed(dir), express.static(dir, files));
  return ui;
};
