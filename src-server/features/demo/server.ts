/** The demo app: a login page that only knows the auth URL. */
import type { DemoApp } from "#contract/control/demo.ts";
import { DEMO_TEXTS } from "#contract/service/demo-texts.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { invalid, problem } from "#contract/service/problems.ts";
import type { AppRecord } from "#contract/service/records.ts";
import type { Setup } from "#features/kernel.ts";
import { escaped, page } from "#http/answering/html.ts";
import { consoleOrigins } from "#http/guards/origins.ts";
import { notFound, ok } from "#http/lookups/select.ts";
import { readProgramFile } from "#server/program-files.ts";

const FILES: Readonly<Record<string, string>> = {
  "demo.js": "text/javascript; charset=utf-8",
  "demo.css": "text/css; charset=utf-8",
  "demo.woff2": "font/woff2",
  "demo-ext.woff2": "font/woff2",
};
const read = (name: string): Buffer | undefined => readProgramFile(`dist/server/demo/${name}`);
const NOT_BUILT =
  "<!doctype html><title>Stagedoor</title><p>The demo app is not built yet: run <code>npm run build</code>.</p>";

/** @param app undefined: none is known. @returns the texts of the demo app, with those of the app. */
const textsFor = (app: AppRecord | undefined): Readonly<Record<string, string>> => {
  const own = Object.entries(app?.settings.brand?.texts ?? {}).filter(([, text]) => text !== "");
  return { ...DEMO_TEXTS, ...Object.fromEntries(own) };
};

const demoAppOf = (app: AppRecord): DemoApp => {
  const { name, strategy, settings } = app;
  const { passcode, wire, brand, sessionExtensions } = effectiveSettings(settings);
  const { color, logo } = brand;
  return {
    name,
    strategy,
    passcodeLength: passcode.fixed?.length ?? passcode.length,
    sessionExtensions,
    wire,
    brand: { name: brand.name, color, logo },
    texts: textsFor(app),
  };
};

export const setup: Setup<"demo"> = (deps) => ({
  readDemoApp: ({ world, query }) => {
    if (query.appId === undefined) return invalid({ appId: ["can't be blank"] });
    const found = world.app(query.appId);
    // Do not list the other apps: on the network their names are private.
    if (found === undefined) throw notFound("app", query.appId);
    return ok(demoAppOf(found.app));
  },
  readDemo: ({ world, query }) => {
    const app = query.appId === undefined ? undefined : world.app(query.appId)?.app;
    const origins = consoleOrigins(deps.place).join(" ");
    // The page and its script need no second answer to begin.
    const given = app === undefined ? { texts: textsFor(app) } : demoAppOf(app);
    const filled: Readonly<Record<string, string>> = {
      __STAGE_ORIGINS__: origins,
      __GIVEN__: escaped(JSON.stringify(given)),
    };
    const text = read("index.html")?.toString() ?? NOT_BUILT;
    const sources = "script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src data:";
    return page(
      text.replace(/__[A-Z_]+__/g, (name) => filled[name] ?? name),
      sources,
      origins,
    );
  },
  readDemoFile: ({ params }) => {
    const name = params["file"] ?? "";
    const contentType = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
    const text = contentType === undefined ? undefined : read(name);
    if (contentType === undefined || text === undefined) return problem("unknown_record");
    return { status: 200, text, contentType, headers: { "X-Content-Type-Options": "nosniff" } };
  },
});
