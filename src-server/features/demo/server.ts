/** The demo app: a login page that only knows the auth URL. */
import type { DemoApp } from "#contract/control/demo.ts";
import { frozen } from "#contract/frozen.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { invalid, problem } from "#contract/service/problems.ts";
import type { AppRecord } from "#contract/service/records.ts";
import type { Setup } from "#features/kernel.ts";
import { escaped, page } from "#http/answering/html.ts";
import { consoleOrigins } from "#http/guards/origins.ts";
import { notFound, ok } from "#http/lookups/select.ts";
import { readProgramFile } from "#server/program-files.ts";
import { demoTextsFor } from "./texts.ts";

const FILES = frozen<Readonly<Record<string, string>>>({
  "demo.js": "text/javascript; charset=utf-8",
  "demo.css": "text/css; charset=utf-8",
  "demo.woff2": "font/woff2",
  "demo-ext.woff2": "font/woff2",
});
const read = (name: string): Buffer | undefined => readProgramFile(`dist/server/demo/${name}`);
const NOT_BUILT =
  "<!doctype html><title>Stagedoor</title><p>The demo app is not built yet: run <code>npm run build</code>.</p>";

/** @param locale of a person, if it is not the app's. @returns what the demo app needs to know about an app. */
const demoAppOf = async (app: AppRecord, locale?: string): Promise<DemoApp> => {
  const { name, strategy, settings } = app;
  const { passcode, wire, brand, sessionExtensions } = effectiveSettings(settings);
  const { color, logo } = brand;
  const spoken = await demoTextsFor(app, locale);
  return {
    name,
    strategy,
    passcodeLength: passcode.fixed?.length ?? passcode.length,
    sessionExtensions,
    wire,
    brand: { name: brand.name, color, logo },
    locale: spoken.locale,
    texts: spoken.texts,
  };
};

/** @see the file */
export const setup: Setup<"demo"> = (deps) => ({
  readDemoApp: async ({ world, query }) => {
    if (query.appId === undefined) return invalid({ appId: ["can't be blank"] });
    const found = world.app(query.appId);
    // Do not list the other apps: on the network their names are private.
    if (found === undefined) throw notFound("app", query.appId);
    return ok(await demoAppOf(found.app, query.locale));
  },
  readDemo: async ({ world, query }) => {
    const app = query.appId === undefined ? undefined : world.app(query.appId)?.app;
    const { locale, texts } = await demoTextsFor(app);
    const origins = consoleOrigins(deps.place).join(" ");
    // The page and its script need no second answer to begin in the right language.
    const given = app === undefined ? { locale, texts } : await demoAppOf(app);
    const filled: Readonly<Record<string, string>> = {
      'lang="en"': `lang="${locale}"`,
      __STAGE_ORIGINS__: origins,
      __GIVEN__: escaped(JSON.stringify(given)),
    };
    const text = read("index.html")?.toString() ?? NOT_BUILT;
    const sources = "script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src data:";
    return page(
      text.replace(/(?<=<html )lang="en"|__[A-Z_]+__/g, (name) => filled[name] ?? name),
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
