/**
 * Serves the OpenAPI texts of the three listeners on the console (CONTRACT 1). Each is made when it is first asked for.
 */
import { type Request, type Response, Router } from "express";
import type { Listener } from "#contract/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { Answers } from "./answer.ts";
import type { Deps } from "./deps.ts";

/** The name of a text → the listener that it describes. */
const LISTENERS = { admin: "admin", auth: "auth", control: "console" } as const satisfies Record<string, Listener>;

/** @returns what answers `/openapi` with a page to read, and `/openapi/admin.json`, `/openapi/auth.json` and `/openapi/control.json`. */
export const createOpenApi = ({ version, urls }: Pick<Deps, "version" | "urls">, answers: Answers): Router => {
  const texts = new Map<Listener, Promise<JsonObject>>();
  const make = async (listener: Listener): Promise<JsonObject> => {
    // Most runs never ask for it, and a start should not wait for it.
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
    const { openApiPage } = await import("./openapi-page.ts");
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
