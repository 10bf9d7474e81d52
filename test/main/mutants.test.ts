/** The checks of `hardening.ts` can fail: each of these changes to the shell's sources makes at least one fail. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import { build, type Plugin } from "vite";
import { expect, test } from "vitest";
import * as electron from "./electron-stand-in.ts";
import { checks, make } from "./hardening.ts";
import { electronPermissions } from "./permissions.ts";

const at = (file: string): string => fileURLToPath(new URL(`../../src-main/${file}`, import.meta.url));
const nodeRequire = createRequire(import.meta.url);

interface Mutation {
  readonly file: "window.ts" | "lockdown.ts";
  readonly from: string;
  readonly to: string;
}

const window = (from: string, to: string): Mutation => ({ file: "window.ts", from, to });
const lockdown = (from: string, to: string): Mutation => ({ file: "lockdown.ts", from, to });
const OWN = "isOwn(asker, origin)";

const MUTATIONS: readonly Mutation[] = [
  window("sandbox: true", "sandbox: false"),
  window("contextIsolation: true", "contextIsolation: false"),
  window("nodeIntegration: false", "nodeIntegration: true"),
  window("nodeIntegrationInWorker: false", "nodeIntegrationInWorker: true"),
  window("nodeIntegrationInSubFrames: false", "nodeIntegrationInSubFrames: true"),
  window("webviewTag: false", "webviewTag: true"),
  window("webviewTag: false", "webviewTag: false, webSecurity: false"),
  window("webviewTag: false", "webviewTag: false, allowRunningInsecureContent: true"),
  window("webviewTag: false", "webviewTag: false, experimentalFeatures: true"),
  window("webviewTag: false", 'webviewTag: false, enableBlinkFeatures: "A"'),
  window("webviewTag: false", 'webviewTag: false, preload: "/preload.js"'),
  window("lockContents(contents, origin);", ""),
  window("lockSession(session.defaultSession, origin);", ""),
  window("let page = consoleUrl", 'let page = "file:///index.html"'),
  lockdown("session.setSpellCheckerLanguages([]);", ""),
  lockdown('contents.on("will-navigate", stay);', ""),
  lockdown('contents.on("will-frame-navigate", stay);', ""),
  lockdown('contents.on("will-redirect", stay);', ""),
  lockdown("event.isMainFrame || ", ""),
  lockdown("pathname === FRAMED && ", ""),
  lockdown("!mayBeFramed(event.url, origin)", "true"),
  lockdown("isOwn(url, Object.assign(new URL(origin), { port }).origin)", "true"),
  lockdown('contents.on("will-attach-webview", (event) => event.preventDefault());', ""),
  lockdown('action: "deny"', 'action: "allow"'),
  lockdown("isOwn(url, origin) ? WINDOWS[new URL(url).pathname] : undefined", "WINDOWS[new URL(url).pathname]"),
  lockdown("WINDOWS[new URL(url).pathname]", 'WINDOWS["/mini"]'),
  lockdown("WINDOWS[new URL(url).pathname]", "WINDOWS[new URL(url).pathname.slice(0, 12)]"),
  lockdown('contents.on("did-create-window", (child) => lockContents(child.webContents, origin));', ""),
  lockdown("if (mayOpenOutside(url)) shell", "shell"),
  lockdown('parsed?.protocol === "https:" && ', ""),
  lockdown('parsed.port === "" && ', ""),
  lockdown("OUTSIDE_HOSTS.has(parsed.hostname)", "true"),
  lockdown('"developer.apple.com"', '"evil.example"'),
  lockdown('parsed?.protocol === "http:" && parsed.origin', "parsed?.origin"),
  lockdown("parsed.origin === origin", "url.startsWith(origin)"),
  lockdown("parsed.origin === origin", "true"),
  lockdown('parsed.username === ""', "true"),
  lockdown('parsed.password === ""', "true"),
  lockdown('"clipboard-sanitized-write ', '"media '),
  lockdown('"clipboard-sanitized-write ', '"media clipboard-sanitized-write '),
  lockdown(`ALLOWED_PERMISSIONS.has(permission) && ${OWN}`, OWN),
  lockdown(`ALLOWED_PERMISSIONS.has(permission) && ${OWN}`, "ALLOWED_PERMISSIONS.has(permission)"),
  lockdown("answer(allows(permission, requestingUrl))", "answer(true)"),
  lockdown("session.setPermissionRequestHandler(", "((_: unknown) => {})("),
  lockdown("asker) => allows(permission, asker)", "asker) => true"),
  lockdown("session.setPermissionCheckHandler(", "((_: unknown) => {})("),
  lockdown("setDevicePermissionHandler(() => false)", "setDevicePermissionHandler(() => true)"),
  lockdown("session.setDevicePermissionHandler(() => false);", ""),
  lockdown("answer(null)", "answer({})"),
  lockdown("answer(null)", 'answer({ audio: "loopback" })'),
  lockdown("session.setDisplayMediaRequestHandler((_request, answer) => answer(null));", ""),
];

/** Builds the shell's window factory, mutated, and runs it on the stand-in. */
const load = async (mutation?: Mutation): Promise<(consoleUrl: string) => unknown> => {
  const mutate: Plugin = {
    name: "mutate",
    transform: {
      order: "pre",
      handler: (code, id) =>
        mutation === undefined || id !== at(mutation.file) ? null : code.replace(mutation.from, () => mutation.to),
    },
  };
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [mutate],
    define: { "import.meta.dirname": '"/shell"' },
    build: {
      write: false,
      minify: false,
      target: "esnext",
      lib: { entry: at("window.ts"), formats: ["cjs"] },
      rolldownOptions: { external: ["electron", /^node:/] },
    },
  });
  const [output] = [result].flat();
  if (output === undefined || !("output" in output)) throw new Error("nothing was built");
  const exported: Record<string, unknown> = {};
  const require = (name: string): unknown => (name === "electron" ? electron : nodeRequire(name));
  compileFunction(output.output[0].code, ["require", "exports"])(require, exported);
  const { openWindow } = exported;
  if (typeof openWindow !== "function") throw new Error("there is no openWindow");
  return (consoleUrl) => Reflect.apply(openWindow, undefined, [consoleUrl]);
};

const all = checks(await electronPermissions());

/** @returns the checks that a window fails. */
const failed = (open: (consoleUrl: string) => unknown): string[] =>
  Object.entries(all).flatMap(([row, check]) => {
    try {
      check(make(open));
      return [];
    } catch {
      return [row];
    }
  });

test("the unchanged shell passes all checks", async () => {
  expect(failed(await load())).toEqual([]);
});

test.each(MUTATIONS)("$file: $from → $to", async (mutation) => {
  expect(await readFile(at(mutation.file), "utf8")).toContain(mutation.from);
  expect(failed(await load(mutation))).not.toEqual([]);
});
