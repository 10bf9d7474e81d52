/**
 * Serves the OpenAPI texts of the three listeners on the console (CONTRACT 1). Each is made when it is first asked for.
 */
import { type Request, type Response, Router } from "express";
import type { Listener } from "#contract/routes.ts";
import type { Answers } from "./answer.ts";
import type { Deps } from "./deps.ts";

/** The name of a text → the listener that it describes. */
const LISTENERS = { admin: "admin", auth: "auth", control: "console" } as const satisfies Record<string, Listener>;

/** @returns what answers `/openapi/admin.json`, `/openapi/auth.json` and `/openapi/control.json`. */
export const createOpenApi = ({ version, urls }: Pick<Deps, "version" | "urls">, answers: Answers): Router => {
  const texts = new Map<Listener, Promise<string>>();
  const make = async (listener: Listener): Promise<string> => {
    // Most runs never ask for it, and a start should not wait for it.
    const { openApiDocument } = await import("#contract/openapi.ts");
    return JSON.stringify(openApiDocument(listener, { version, servers: [urls()[listener]] }));
  };
  const textOf = (listener: Listener): Promise<string> => {
    const text = texts.get(listener) ?? make(listener);
    texts.set(listener, text);
    return text;
  };
  const router = Router();
  for (const [name, listener] of Object.entries(LISTENERS)) {
    router.get(`/openapi/${name}.json`, async (_req: Request, res: Response) => {
      answers.send(res, 200, await textOf(listener));
    });
    router.all(`/openapi/${name}.json`, (_req: Request, res: Response) =>
      answers.refuse(res, { code: "method_not_allowed", headers: { Allow: "GET, HEAD" } }),
    );
  }
  return router;
};
