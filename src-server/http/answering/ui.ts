/** Serves the built UI: one page with a fresh nonce in its policy, and its assets. */
import { createHash, randomBytes } from "node:crypto";
import { extname } from "node:path";
import { gunzipSync } from "node:zlib";
import express, { type Request, type Router } from "express";
import { movedTo, SCREENS } from "#contract/control/screens.ts";

const NONCE = "__CSP_NONCE__";

const policy = (nonce: string, frames: readonly string[]): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
  `img-src 'self' data:; font-src 'self'; manifest-src 'self'; frame-src ${frames.join(" ")}; ` +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; " +
  // The policy is in src-renderer/api/trusted-types.ts.
  "require-trusted-types-for 'script'; trusted-types default";

const NOT_BUILT =
  "<!doctype html><title>Stagedoor</title><p>The console is not built yet: run <code>npm run build</code>. The control API is at /emulator/v1.</p>";

const PAGE = new RegExp(`^/((${SCREENS.join("|")})(/[^/]*)?)?$`);

/** @returns whether this is the path of a UI page, or was one in an older version: then it redirects. */
export const isPage = (path: string): boolean => PAGE.test(path) || movedTo(path) !== undefined;

/** @returns whether a browser requests an unknown page: it gets the UI, which says so, with a 404. */
const isLostPage = (req: Request): boolean =>
  /^\/[\w-]+(\/[\w-]+)?$/.test(req.path) &&
  !/^\/(emulator|openapi|assets|v1)(\/|$)/.test(req.path) &&
  (req.headers.accept ?? "").includes("text/html");

/** Reads a file of a build by its path there. @returns its bytes; undefined if there is none. */
export type ReadFile = (path: string) => Buffer | undefined;

/** Encodings and their file extensions in the build, smallest result first. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** A file or one of `assets/`; its name does not begin with a dot. */
const FILE = /^\/((?:assets\/)?[\w-][\w.-]*)$/;

/** @returns the smallest form of a file that the client accepts. The single executable has each file in one form only. */
const formOf = (read: ReadFile, path: string, req: Request): { body: Buffer; encoding?: string } | undefined => {
  for (const [encoding, suffix] of ENCODINGS) {
    const body = req.acceptsEncodings(encoding) === encoding ? read(path + suffix) : undefined;
    if (body !== undefined) return { body, encoding };
  }
  const [plain, compressed] = [read(path), read(`${path}.gz`)];
  const body = plain ?? (compressed && gunzipSync(compressed));
  return body && { body };
};

/** @param frames returns the origins that pages may frame. @returns the router of assets and pages. */
export const createUi = (read: ReadFile, frames: () => readonly string[]): Router => {
  const ui = express.Router();
  ui.use((req, res, next) => {
    if (req.method !== "GET" && req.method !== "HEAD") return next();
    const moved = movedTo(req.url);
    if (moved !== undefined) return void res.redirect(302, moved);
    const known = isPage(req.path);
    const [, path] = FILE.exec(req.path) ?? [];
    const found = known || path === undefined ? undefined : formOf(read, path, req);
    if (path !== undefined && found !== undefined) {
      if (found.encoding !== undefined) res.setHeader("Content-Encoding", found.encoding);
      res.setHeader("Vary", "Accept-Encoding");
      res.setHeader("Cache-Control", path.includes("/") ? "public, max-age=31536000, immutable" : "public, max-age=0");
      res.setHeader("Cross-Origin-Resource-Policy", "same-origin");
      res.setHeader("X-Content-Type-Options", "nosniff");
      res.setHeader("ETag", `"${createHash("sha256").update(found.body).digest("base64url")}"`);
      return void res.type(extname(path)).send(found.body);
    }
    if (!known && !isLostPage(req)) return next();
    const nonce = randomBytes(16).toString("base64");
    const html = read("index.html")?.toString() ?? NOT_BUILT;
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
  return ui;
};
