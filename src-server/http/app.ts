/** Composes the three HTTP apps: the order of their middleware. Nothing here listens. */
import express, { type Express } from "express";
import type { Listener } from "#contract/routes.ts";
import { type Answers, createAnswers, type Headers } from "./answer.ts";
import { bind } from "./bind.ts";
import { type ConsoleAccess, requireAccess } from "./console-access.ts";
import { allowAnyOrigin, CORS_HEADERS } from "./cors.ts";
import type { Deps } from "./deps.ts";
import { createHostCheck, type HostRule, originProblem, refuseBy } from "./guard.ts";
import type { Handlers, Stream } from "./handler.ts";
import { answerErrors, answerHealth, openExchange, plainExpress, refuseUnknownPath } from "./open-exchange.ts";
import { createOpenApi } from "./openapi.ts";
import { leaveUnnamedHost } from "./origins.ts";

const begin = (listener: Listener, deps: Deps, common: Headers, rule: HostRule): { app: Express; answers: Answers } => {
  const headers = { Emulator: `stagedoor/${deps.version}`, "Cache-Control": "no-store", ...common };
  const answers = createAnswers(deps, headers, listener !== "console");
  const app = plainExpress(express());
  app.use(openExchange(listener, deps));
  app.use(answerHealth(answers));
  app.use(refuseBy(answers, createHostCheck(rule)));
  return { app, answers };
};

const end = (app: Express, listener: Listener, deps: Deps, answers: Answers): Express => {
  app.use(refuseUnknownPath(listener, answers, deps.urls));
  app.use(answerErrors(answers, deps.warn));
  return app;
};

/** The admin interface (SPEC 4.1): no CORS, a secret with every request. */
export const createAdminApp = (deps: Deps, handlers: Handlers<"admin">, rule: HostRule): Express => {
  const { app, answers } = begin("admin", deps, {}, rule);
  bind(app, "admin", handlers, deps, answers);
  return end(app, "admin", deps, answers);
};

/** The session interface (SPEC 4.2): open to every origin. */
export const createAuthApp = (deps: Deps, handlers: Handlers<"auth">, rule: HostRule): Express => {
  const { app, answers } = begin("auth", deps, CORS_HEADERS, rule);
  app.use(allowAnyOrigin(answers));
  bind(app, "auth", handlers, deps, answers);
  return end(app, "auth", deps, answers);
};

/** Parts of the console only. */
export interface ConsoleParts {
  readonly stream: Stream;
  /** Serves the pages of the UI; passes everything else on. */
  readonly ui: Express | ReturnType<typeof express.Router>;
  /** Access control of a console that is open to other machines; null if it is not. */
  readonly access: ConsoleAccess | null;
}

/** The console: the UI and the control API, for this machine and its own origin. */
export const createConsoleApp = (
  deps: Deps,
  handlers: Handlers<"console">,
  rule: HostRule,
  parts: ConsoleParts,
): Express => {
  const common = { "Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff" };
  const { app, answers } = begin("console", deps, common, rule);
  app.use(refuseBy(answers, originProblem));
  app.use(leaveUnnamedHost(answers, deps));
  if (parts.access !== null) app.use(requireAccess(answers, parts.access, () => deps.store.world));
  bind(app, "console", handlers, deps, answers, parts.stream);
  app.use(createOpenApi(deps, answers));
  app.use(parts.ui);
  return end(app, "console", deps, answers);
};
