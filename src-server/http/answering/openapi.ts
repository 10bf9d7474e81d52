/** Serves the OpenAPI documents on the console. */

import { randomBytes } from "node:crypto";
import { type Request, type Response, Router } from "express";
import type { DocumentName } from "#contract/documents/openapi.ts";
import type { DescribedApp } from "#contract/documents/openapi-service.ts";
import { frozen } from "#contract/frozen.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { unknownNames } from "#contract/validation.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import type { World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import { queryIn } from "../guards/auth.ts";
import type { Answers } from "../handler.ts";
import { appNamed, wrongFields } from "../lookups/select.ts";
import { unknownAppStatus } from "../wire.ts";
import { escaped } from "./html.ts";

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
const parsed = (text: string): JsonObject => {
  const document = parsedJson(text);
  return isJsonObject(document) ? document : {};
};
const stringIn = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

const STYLE = `
:root{color-scheme:light dark;--line:light-dark(#e2e2de,#2a2e36);--soft:light-dark(#5c6470,#98a0ad);--lamp:light-dark(#b26b00,#f2a93b)}
body{font:14px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.25rem}h2{font-size:1.1rem;margin-top:2.5rem}
details{border-top:1px solid var(--line);padding:.5rem 0}summary{cursor:pointer}
code,pre{font:13px/1.5 ui-monospace,monospace}pre{overflow-x:auto;border:1px solid var(--line);padding:.5rem}
.m{display:inline-block;min-width:4.5rem;color:var(--lamp);font-weight:600}.s{color:var(--soft)}
table{border-collapse:collapse;width:100%}td{border-top:1px solid var(--line);padding:.25rem .5rem .25rem 0;vertical-align:top}
a{color:inherit}`;

const rows = (entries: readonly (readonly [name: string, text: string])[]): string => {
  const lines = entries.map(
    ([name, text]) => `<tr><td><code>${escaped(name)}</code></td><td>${escaped(text)}</td></tr>`,
  );
  return lines.length === 0 ? "" : `<table>${lines.join("")}</table>`;
};

const example = ({ requestBody }: JsonObject): string => {
  const media = objectOf(objectOf(objectOf(requestBody)["content"])["application/json"]);
  if (media["example"] === undefined) return "";
  return `<p class="s">Body</p><pre>${escaped(JSON.stringify(media["example"], null, 2))}</pre>`;
};

const operationHtml = (method: string, path: string, operation: JsonObject): string => {
  const { parameters, responses, summary } = operation;
  const queries = (isJsonArray(parameters) ? parameters : []).map((entry): [string, string] => {
    const { name, schema, description } = objectOf(entry);
    const { description: _, ...shape } = objectOf(schema);
    return [stringIn(name), `${stringIn(description)} ${JSON.stringify(shape)}`.trim()];
  });
  const answers = Object.entries(objectOf(responses)).map(([status, answer]): [string, string] => [
    status,
    stringIn(objectOf(answer)["description"]),
  ]);
  return `<details><summary><span class="m">${escaped(method.toUpperCase())}</span> <code>${escaped(path)}</code> <span class="s">${escaped(stringIn(summary))}</span></summary>
${rows(queries)}${example(operation)}<p class="s">Responses</p>${rows(answers)}</details>`;
};

const sectionHtml = (name: string, { info, paths, servers }: JsonObject): string => {
  const url = stringIn(objectOf(isJsonArray(servers) ? servers[0] : undefined)["url"]);
  const operations = Object.entries(objectOf(paths)).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, operation]) => operationHtml(method, path, objectOf(operation))),
  );
  return `<h2>${escaped(stringIn(objectOf(info)["title"]))}</h2>
<p class="s"><code>${escaped(url)}</code> · <a href="/openapi/${name}.json">${name}.json</a></p>${operations.join("\n")}`;
};

/** Paths of the documents; the control API's earlier one stays. */
const DOCUMENTS = frozen({ admin: "admin", auth: "auth", emulator: "emulator", control: "emulator" } as const);

/** What a document is asked to be. */
interface Form {
  /** With the operations that stop Stagedoor or delete what others may be using. */
  readonly isAll: boolean;
  readonly version: "3.0" | "3.1";
}
const VALUES = frozen<Readonly<Record<string, readonly string[]>>>({ all: ["0", "1"], version: ["3.1", "3.0"] });
const KNOWN = frozen(["appId", ...Object.keys(VALUES)]);

/** A misspelled `appId` would describe another app. @throws Refusal */
const formOf = (req: Request): Form => {
  const query = queryIn(req.url);
  const unknown = unknownNames(
    [...query.keys()].filter((name) => !KNOWN.includes(name)),
    KNOWN,
  );
  if (Object.keys(unknown).length > 0) throw wrongFields(unknown);
  for (const [name, allowed] of Object.entries(VALUES))
    if (query.getAll(name).some((value, i) => i > 0 || !allowed.includes(value)))
      throw wrongFields({ [name]: [`must be ${allowed.join(" or ")}`] });
  return { isAll: query.get("all") === "1", version: query.get("version") === "3.0" ? "3.0" : "3.1" };
};

/** @returns the app of the query, as its documents need it; undefined if it names none. @throws Refusal */
const described = (world: World, req: Request): DescribedApp | undefined => {
  const [appId, ...more] = queryIn(req.url).getAll("appId");
  if (more.length > 0) throw wrongFields({ appId: ["must be given once"] });
  if (appId === undefined) return undefined;
  const { strategy, settings } = appNamed(world, appId).app;
  return { appId, strategy, settings: { ...effectiveSettings(settings), unknownAppStatus: unknownAppStatus(world) } };
};

/** So many documents are kept, each up to some hundred kilobytes: the three of eight apps. */
const MOST_KEPT = 24;
/** In the examples of kept documents, for the id of an app. No app has this id. */
const ANY_APP = "\0app";

/** @returns a function that writes documents, and keeps them: apps of the same settings share one. */
const createWriter = ({ program: { version }, place }: Pick<Deps, "program" | "place">) => {
  /** What was used last is last. */
  const kept = new Map<string, string>();
  return async (name: DocumentName, app: DescribedApp | undefined, form: Form): Promise<string> => {
    const any = app && { ...app, appId: ANY_APP };
    const key = JSON.stringify([name, any, form]);
    // Lazy: most runs never need it, and it would slow the start.
    const { openApiDocument } = await import("#contract/documents/openapi.ts");
    const make = (): JsonObject =>
      openApiDocument(name, { version, urls: place.urls() }, any, form.isAll, form.version);
    const text = kept.get(key) ?? JSON.stringify(make());
    kept.delete(key);
    kept.set(key, text);
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    return app === undefined ? text : text.replaceAll(JSON.stringify(ANY_APP), () => JSON.stringify(app.appId));
  };
};

/**
 * @returns the router for the static page `/openapi`, which loads and runs nothing, and for the documents
 * `/openapi/{admin,auth,emulator}.json`, each of all apps or of one, `?appId=`, in OpenAPI 3.1 or `?version=3.0`.
 */
export const createOpenApi = (deps: Pick<Deps, "program" | "place" | "store">, answers: Answers): Router => {
  const write = createWriter(deps);
  const textFor = (name: DocumentName, req: Request, form: Form): Promise<string> =>
    write(name, described(deps.store.world, req), form);
  const router = Router();
  router.get("/openapi", async (req: Request, res: Response) => {
    const names = ["admin", "auth", "emulator"] as const;
    const sections = names.map(async (name) =>
      sectionHtml(name, parsed(await textFor(name, req, { isAll: true, version: "3.1" }))),
    );
    const nonce = randomBytes(16).toString("base64");
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Stagedoor: the interfaces</title><style nonce="${nonce}">${STYLE}</style><h1>The interfaces of this emulator</h1>${(await Promise.all(sections)).join("\n")}</html>`;
    const policy = `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
    answers.send(res, 200, html, { "Content-Security-Policy": policy }, "text/html; charset=utf-8");
  });
  for (const [path, name] of Object.entries(DOCUMENTS)) {
    router.get(`/openapi/${path}.json`, async (req: Request, res: Response) => {
      answers.send(res, 200, await textFor(name, req, formOf(req)));
    });
    router.all(`/openapi/${path}.json`, (_req: Request, res: Response) =>
      answers.refuse(res, { code: "method_not_allowed", headers: { Allow: "GET, HEAD" } }),
    );
  }
  return router;
};
