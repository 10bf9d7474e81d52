/** Serves the OpenAPI documents of the three listeners on the console (CONTRACT 1), each generated on first use. */
import { randomBytes } from "node:crypto";
import { type Request, type Response, Router } from "express";
import type { Listener } from "#contract/routes.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import type { Answers } from "./answer.ts";
import type { Deps } from "./deps.ts";
import { escaped } from "./escape.ts";

/** A page and its Content Security Policy. */
interface Page {
  readonly html: string;
  readonly policy: string;
}

const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
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

const rows = (entries: readonly (readonly [string, string])[]): string =>
  entries.length === 0
    ? ""
    : `<table>${entries.map(([name, text]) => `<tr><td><code>${escaped(name)}</code></td><td>${escaped(text)}</td></tr>`).join("")}</table>`;

const example = (operation: JsonObject): string => {
  const media = objectOf(objectOf(objectOf(operation["requestBody"])["content"])["application/json"]);
  if (media["example"] === undefined) return "";
  return `<p class="s">Body</p><pre>${escaped(JSON.stringify(media["example"], null, 2))}</pre>`;
};

const operationHtml = (method: string, path: string, operation: JsonObject): string => {
  const parameters = listOf(operation["parameters"]).map((entry) => {
    const { name, schema, description } = objectOf(entry);
    const { description: _, ...shape } = objectOf(schema);
    return [
      textOf(name),
      [textOf(description), JSON.stringify(shape)].filter((part) => part !== "").join(" "),
    ] as const;
  });
  const answers = Object.entries(objectOf(operation["responses"])).map(
    ([status, answer]) => [status, textOf(objectOf(answer)["description"])] as const,
  );
  return `<details><summary><span class="m">${escaped(method.toUpperCase())}</span> <code>${escaped(path)}</code> <span class="s">${escaped(textOf(operation["summary"]))}</span></summary>
${rows(parameters)}${example(operation)}<p class="s">Answers</p>${rows(answers)}</details>`;
};

const sectionHtml = (name: string, document: JsonObject): string => {
  const operations = Object.entries(objectOf(document["paths"])).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, operation]) => operationHtml(method, path, objectOf(operation))),
  );
  const server = textOf(objectOf(listOf(document["servers"])[0])["url"]);
  return `<h2>${escaped(textOf(objectOf(document["info"])["title"]))}</h2>
<p class="s"><code>${escaped(server)}</code> · <a href="/openapi/${escaped(name)}.json">${escaped(name)}.json</a></p>${operations.join("\n")}`;
};

/** @param documents OpenAPI documents by file name. @returns a static page that loads and runs nothing. */
const openApiPage = (documents: Readonly<Record<string, JsonObject>>): Page => {
  const nonce = randomBytes(16).toString("base64");
  const sections = Object.entries(documents).map(([name, document]) => sectionHtml(name, document));
  return {
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Stagedoor: the interfaces</title><style nonce="${nonce}">${STYLE}</style><h1>The interfaces of this emulator</h1>${sections.join("\n")}</html>`,
    policy: `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  };
};

/** Document name → listener. */
const LISTENERS = { admin: "admin", auth: "auth", control: "console" } as const satisfies Record<string, Listener>;

/** @returns the router for the page `/openapi` and the documents `/openapi/{admin,auth,control}.json`. */
export const createOpenApi = ({ version, urls }: Pick<Deps, "version" | "urls">, answers: Answers): Router => {
  const texts = new Map<Listener, Promise<JsonObject>>();
  const make = async (listener: Listener): Promise<JsonObject> => {
    // Lazy: most runs never need it, and it would slow the start.
    const { openApiDocument } = await import("#contract/openapi.ts");
    return openApiDocument(listener, { version, servers: [urls()[listener]] });
  };
  const documentOf = (listener: Listener): Promise<JsonObject> => {
    const text = texts.get(listener) ?? make(listener);
    texts.set(listener, text);
    return text;
  };
  const router = Router();
  router.get("/openapi", async (_req: Request, res: Response) => {
    const named = Object.entries(LISTENERS).map(
      async ([name, listener]) => [name, await documentOf(listener)] as const,
    );
    const { html, policy } = openApiPage(Object.fromEntries(await Promise.all(named)));
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
