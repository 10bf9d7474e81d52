/** The demo app: a login page that only knows the auth URL (CONTRACT 10). */
import { effectiveSettings } from "#contract/effective-settings.ts";
import { invalid, problem } from "#contract/problems.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { page } from "../html.ts";
import { consoleOrigins } from "../origins.ts";
import { notFound, ok } from "../select.ts";
import type { ReadFile } from "../ui.ts";

const FILES: Readonly<Record<string, string>> = {
  "demo.js": "text/javascript; charset=utf-8",
  "demo.css": "text/css; charset=utf-8",
};
const NOT_BUILT =
  "<!doctype html><title>Stagedoor</title><p>The demo app is not built yet: run <code>npm run build</code>.</p>";

/** Placeholder in the page for the origins that may frame it, which its script needs too. */
const ORIGINS = "__STAGE_ORIGINS__";

/** @param read reads a file of the built demo app. @returns its handlers. */
export const createDemoHandlers = (deps: Deps, read: ReadFile) =>
  ({
    readDemoApp: ({ world, query }) => {
      if (query.appId === undefined) return invalid({ appId: ["can't be blank"] });
      const found = world.app(query.appId);
      // Do not list the other apps: on the network their names are private.
      if (found === undefined) throw notFound("app", query.appId);
      const { name, strategy, settings } = found.app;
      const { passcode, wire, brand } = effectiveSettings(settings);
      const passcodeLength = passcode.fixed?.length ?? passcode.length;
      return ok({ name, strategy, passcodeLength, wire, brand });
    },
    readDemo: () => {
      const text = read("index.html")?.toString() ?? NOT_BUILT;
      const origins = consoleOrigins(deps).join(" ");
      const sources = "script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:";
      return page(text.replace(ORIGINS, origins), sources, origins);
    },
    readDemoFile: ({ params }) => {
      const name = params["file"] ?? "";
      const contentType = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
      const text = contentType === undefined ? undefined : read(name);
      if (contentType === undefined || text === undefined) return problem("unknown_record");
      return { status: 200, text, contentType, headers: { "X-Content-Type-Options": "nosniff" } };
    },
  }) satisfies Partial<Handlers<"auth">>;
