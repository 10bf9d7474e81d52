/** Serves the OpenAPI documents on the console. */

import { type Request, type Response, Router } from "express";
import type { DocumentName } from "#contract/documents/openapi.ts";
import type { DescribedApp } from "#contract/documents/openapi-service.ts";
import { Recent } from "#contract/recent.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { unknownNames } from "#contract/validation.ts";
import type { World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import { queryIn } from "../guards/auth.ts";
import type { Answers } from "../handler.ts";
import { appNamed, wrongFields } from "../lookups/select.ts";
import { unknownAppStatus } from "../wire.ts";

/** Paths of the documents; the control API's earlier one stays. */
const DOCUMENTS = { admin: "admin", auth: "auth", emulator: "emulator", control: "emulator" } as const;

interface Form {
  /** With the operations that stop Stagedoor or delete what others may be using. */
  readonly isAll: boolean;
  readonly version: "3.0" | "3.1";
}
const VALUES: Readonly<Record<string, readonly string[]>> = { all: ["0", "1"], version: ["3.1", "3.0"] };
const KNOWN = ["appId", ...Object.keys(VALUES)] as const;

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
  const kept = new Recent<string, string>(MOST_KEPT);
  return async (name: DocumentName, app: DescribedApp | undefined, form: Form): Promise<string> => {
    const any = app && { ...app, appId: ANY_APP };
    const key = JSON.stringify([name, any, form]);
    // Lazy: most runs never need it, and it would slow the start.
    const { openApiDocument } = await import("#contract/documents/openapi.ts");
    const make = (): JsonObject =>
      openApiDocument(name, { version, urls: place.urls() }, any, form.isAll, form.version);
    const text = kept.get(key) ?? JSON.stringify(make());
    kept.set(key, text);
    return app === undefined ? text : text.replaceAll(JSON.stringify(ANY_APP), () => JSON.stringify(app.appId));
  };
};

/** @returns the router for `/openapi/{admin,auth,emulator}.json`, of all apps or of one, in OpenAPI 3.1 or 3.0. */
export const createOpenApi = (deps: Pick<Deps, "program" | "place" | "store">, answers: Answers): Router => {
  const write = createWriter(deps);
  const router = Router();
  for (const [path, name] of Object.entries(DOCUMENTS)) {
    router.get(`/openapi/${path}.json`, async (req: Request, res: Response) => {
      answers.send(res, 200, await write(name, described(deps.store.world, req), formOf(req)));
    });
    router.all(`/openapi/${path}.json`, (_req: Request, res: Response) =>
      answers.refuse(res, { code: "method_not_allowed", headers: { Allow: "GET, HEAD" } }),
    );
  }
  return router;
};
