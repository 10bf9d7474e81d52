/** Composes the three HTTP apps: the order of their middleware. Nothing here listens. */
import express, { type Express } from "express";
import type { Listener } from "#contract/control/routes.ts";
import { createAnswers } from "./answering/answer.ts";
import { createOpenApi } from "./answering/openapi.ts";
import { answerRoot, explainNoCors } from "./answering/root.ts";
import { bind } from "./bind.ts";
import type { Deps } from "./deps.ts";
import { type ConsoleAccess, requireAccess } from "./guards/console-access.ts";
import { allowAnyOrigin, allowTestOrigins, CORS_HEADERS } from "./guards/cors.ts";
import { createHostCheck, expectationProblem, type HostRule, originProblem, refuseBy } from "./guards/guard.ts";
import { leaveUnnamedHost } from "./guards/origins.ts";
import type { Answers, Handlers, Headers, Run } from "./handler.ts";
import { answerErrors, answerHealth, openExchange, plainExpress, refuseUnknownPath } from "./open-exchange.ts";

/** Begins with the checks of every request, ends with the refusal of unknown paths. @param fill adds the operations. */
const compose = (
  listener: Listener,
  deps: Deps,
  common: Headers,
  rule: HostRule,
  fill: (app: Express, answers: Answers) => void,
): Express => {
  const headers = { Emulator: `stagedoor/${deps.program.version}`, "Cache-Control": "no-store", ...common };
  const answers = createAnswers(deps, headers, listener !== "console");
  const app = plainExpress(express());
  const checkHost = createHostCheck(rule);
  const check = refuseBy(answers, (req) => checkHost(req) ?? expectationProblem(req));
  app.use(openExchange(listener, deps), answerHealth(answers, deps), check);
  fill(app, answers);
  app.use(refuseUnknownPath(listener, answers, deps.place.urls), answerErrors(answers, deps.program.warn));
  return app;
};

/** The admin interface (service.md 4.1): no CORS, a secret with every request. */
export const createAdminApp = (deps: Deps, handlers: Handlers<"admin">, rule: HostRule): Express =>
  compose("admin", deps, {}, rule, (app, answers) => {
    app.use(explainNoCors(answers), answerRoot("admin", answers, deps));
    bind(app, "admin", handlers, deps, answers);
  });

/** The session interface (service.md 4.2): open to every origin and every host name. */
export const createAuthApp = (deps: Deps, handlers: Handlers<"auth">): Express =>
  compose(
    "auth",
    deps,
    CORS_HEADERS,
    () => true,
    (app, answers) => {
      app.use(allowAnyOrigin(answers), answerRoot("auth", answers, deps));
      bind(app, "auth", handlers, deps, answers);
    },
  );

/** Parts of the console only. */
export interface ConsoleParts {
  readonly stream: Run;
  /** Serves the pages of the UI; passes everything else on. */
  readonly ui: Express | ReturnType<typeof express.Router>;
  /** Access control of a console that is open to other machines; null if it is not. */
  readonly access: ConsoleAccess | null;
  /** Origins of pages of tests that may use the control API. */
  readonly testOrigins: readonly string[];
}

/** The console: the UI and the control API, for this machine and its own origin. */
export const createConsoleApp = (
  deps: Deps,
  handlers: Handlers<"console">,
  rule: HostRule,
  parts: ConsoleParts,
): Express => {
  const common = { "Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff" };
  return compose("console", deps, common, rule, (app, answers) => {
    app.use(allowTestOrigins(answers, parts.testOrigins));
    app.use(refuseBy(answers, originProblem), leaveUnnamedHost(answers, deps.place));
    if (parts.access !== null) app.use(requireAccess(answers, parts.access, deps.admit));
    bind(app, "console", handlers, deps, answers, parts.stream);
    app.use(createOpenApi(deps, answers), parts.ui);
  });
};
