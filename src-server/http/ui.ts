/**
 * Serves the built UI: one page with a fresh nonce in its policy, and its assets (CONTRACT 1, console).
 */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import express, { type RequestHandler, type Router } from "express";

const NONCE = "__CSP_NONCE__";

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

const NOT_BUILT =
  "<!doctype html><title>Stagedoor</title><p>The UI is not built yet: run <code>npm run build</code>. The control API is at /emulator/v1.</p>";

/** @returns whether this is a page of the UI, rather than a call or a file. */
export const isPage = (path: string): boolean =>
  !/^\/(emulator|openapi|assets|v1|\.well-known)(\/|$)/.test(path) && !/\.\w+$/.test(path);

/**
 * @param dir the folder of the built UI.
 * @returns what serves it: `/assets/…` for good, all pages as index.html; all else is passed on.
 */
export const createUi = (dir: string): Router => {
  const ui = express.Router();
  const page: RequestHandler = async (req, res, next) => {
    if ((req.method !== "GET" && req.method !== "HEAD") || !isPage(req.path)) return next();
    const nonce = randomBytes(16).toString("base64");
    const html = await readFile(join(dir, "index.html"), "utf8").catch(() => NOT_BUILT);
    res.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy(nonce),
      "Cache-Control": "no-store",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    });
    res.end(html.replaceAll(NONCE, nonce));
  };
  ui.use(page);
  const headers = { "Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff" };
  ui.use(
    "/assets",
    express.static(join(dir, "assets"), {
      index: false,
      immutable: true,
      maxAge: "1y",
      redirect: false,
      setHeaders: (res) => res.setHeaders(new Headers(headers)),
    }),
  );
  ui.use(
    express.static(dir, { index: false, redirect: false, setHeaders: (res) => res.setHeaders(new Headers(headers)) }),
  );
  return ui;
};
