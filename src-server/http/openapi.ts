/** Serves the OpenAPI documents of the three listeners on the console (CONTRACT 1), each generated on first use. */
import { randomBytes } from "node:crypto";
import { type Request, type Response, Router } from "express";
import type { Listener } from "#contract/routes.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import type { Answers } from "./answer.ts";
import type { Deps } from "./deps.ts";
import { escaped } from "./html.ts";

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

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
  const queries = (Array.isArray(parameters) ? parameters : []).map((entry): [string, string] => {
    const { name, schema, description } = objectOf(entry);
    const { description: _, ...shape } = objectOf(schema);
    return [textOf(name), `${textOf(description)} ${JSON.stringify(shape)}`.trim()];
  });
  const answers = Object.entries(objectOf(responses)).map(([status, answer]): [string, string] => [
    status,
    textOf(objectOf(answer)["description"]),
  ]);
  return `<details><summary><span class="m">${escaped(method.toUpperCase())}</span> <code>${escaped(path)}</code> <span class="s">${escaped(textOf(summary))}</span></summary>
${rows(queries)}${example(operation)}<p class="s">Answers</p>${rows(answers)}</details>`;
};

const sectionHtml = (name: string, url: string, { info, paths }: JsonObject): string => {
  const operations = Object.entries(objectOf(paths)).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, operation]) => operationHtml(method, path, objectOf(operation))),
  );
  return `<h2>${escaped(textOf(objectOf(info)["title"]))}</h2>
<p class="s"><code>${escaped(url)}</code> · <a href="/openapi/${name}.json">${name}.json</a></p>${operations.join("\n")}`;
};

/** Document name → listener. */
const LISTENERS = { admin: "admin", auth: "auth", control: "console" } as const satisfies Record<string, Listener>;

/**
 * @returns the router for the static page `/openapi`, which loads and runs nothing, and for the documents
 * `/openapi/{admin,auth,control}.json`.
 */
export const createOpenApi = ({ version, urls }: Pick<Deps, "version" | "urls">, answers: Answers): Router => {
  const made = new Map<Listener, Promise<JsonObject>>();
  const documentOf = (listener: Listener): Promise<JsonObject> => {
    // Lazy: most runs never need it, and it would slow the start.
    const make = async () =>
      (await import("#contract/openapi.ts")).openApiDocument(listener, { version, servers: [urls()[listener]] });
    const document = made.get(listener) ?? make();
    made.set(listener, document);
    return document;
  };
  const router = Router();
  router.get("/openapi", async (_req: Request, res: Response) => {
    const sections = Object.entries(LISTENERS).map(async ([name, listener]) =>
      sectionHtml(name, urls()[listener], await documentOf(listener)),
    );
    const nonce = randomBytes(16).toString("base64");
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Stagedoor: the interfaces</title><style nonce="${nonce}">${STYLE}</style><h1>The interfaces of this emulator</h1>${(await Promise.all(sections)).join("\n")}</html>`;
    const policy = `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
    answers.send(res, 200, html, { "Content-Security-Policy": policy }, "text/html; charset=utf-8");
  });
  for (const [name, listener] of Object.entries(LISTENERS)) {
    router.get(`/openapi/${name}.json`, async (_req: Request, res: Response) => {
      answers.send(res, 200, JSON.stringify(await documentOf(listener)));
    });
    router.all(`/openapi/${name}.json`, (_req: Request, res: Response) =>
      answers.refuse(res, { code: "method_not_allowed", headers: { Allow: "GET, HEAD" } }),
    );
  }
  return router;
};
