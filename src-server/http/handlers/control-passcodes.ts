/** The control API: passcodes, and waiting for one. */

import { routes } from "#contract/control/routes.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { LatestQuery } from "#contract/service/passcodes.ts";
import { invalid, problem } from "#contract/service/problems.ts";
import { type UsernameField, usernameField } from "#contract/service/strategies.ts";
import type { FieldErrors } from "#contract/validation.ts";
import { isPhone } from "#contract/words/phone-words.ts";
import { sendPasscode } from "#domain/issue-passcode.ts";
import { clearPasscodes, expirePasscode } from "#domain/passcodes.ts";
import type { AppWorld, Env, World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import { queryIn } from "../guards/auth.ts";
import type { Handlers } from "../handler.ts";
import { newestAsking } from "../lookups/latest-id.ts";
import {
  concerning,
  createReadPasscodes,
  isFinal,
  isTo,
  latest,
  passcodeStanding,
  seqOf,
} from "../lookups/latest-passcode.ts";
import { answerNewest } from "../lookups/newest-records.ts";
import { noPasscode } from "../lookups/no-passcode.ts";
import {
  appOfBody,
  appOfQuery,
  appsOf,
  done,
  type Found,
  made,
  notFound,
  ok,
  recordNamed,
  shownPasscode,
} from "../lookups/select.ts";
import { tellSent } from "../tell-sent.ts";

/** Each username: what it looks like, in words, and whether a text does. */
const FORMS: Readonly<Record<UsernameField, { name: string; fits: (to: string) => boolean }>> = {
  phone: { name: "a phone number such as +12025550100", fits: isPhone },
  email: { name: "an email address", fits: (to) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(to) },
};

/** @returns why no app of the query can send to this recipient; undefined if one can. A lenient app stores any text. */
const recipientErrors = (
  apps: readonly AppWorld[],
  to: string | undefined,
  asked: string | null,
): FieldErrors | undefined => {
  const [first, second] = apps;
  const isPossible = ({ app }: AppWorld): boolean =>
    to === undefined || effectiveSettings(app.settings).validation === "lenient" || FORMS[usernameField(app)].fits(to);
  if (first === undefined || apps.some(isPossible)) return undefined;
  const forms = [...new Set(apps.map(({ app }) => FORMS[usernameField(app)].name))].join(" or ");
  const { appId, strategy } = first.app;
  const sender = second === undefined ? `: ${appId} sends codes by ${strategy}` : "";
  return { to: [`must be ${forms}, not ${JSON.stringify(to !== undefined && isPhone(to) ? to : asked)}${sender}`] };
};

const latestErrors = (world: World, { appId, to, unread }: LatestQuery, asked: string | null) =>
  recipientErrors(appsOf(world, appId), to, asked) ??
  (unread === "1" && (appId === undefined || to === undefined)
    ? { unread: ["needs appId and to, so that it marks one user's codes as read"] }
    : undefined);

/** @returns the handlers of passcodes. */
export const createControlPasscodeHandlers = (deps: Deps) => {
  const { store, log, ports, waits } = deps;
  const show = (found: Found<"passcodes">, env: Env) => shownPasscode(ports.devices, found, env);
  const read = createReadPasscodes(store);
  /** @throws Refusal if the log has no such request, or one of another app. */
  const mustBeHere = (requestId: string, appId: string | undefined, isHeld: boolean): void => {
    const row = log.row(requestId);
    const isHere = appId === undefined || row?.appId === appId || (row?.appId === null && !isHeld);
    if (row === undefined || !isHere) throw notFound("request", requestId);
  };
  return {
    listPasscodes: ({ world, env, query: { to, status, ...query } }) => {
      const isRecipient = isTo(to);
      const fits = ({ app, record }: Found<"passcodes">): boolean =>
        isRecipient(record.to) && (status === undefined || passcodeStanding({ app, record }, env) === status);
      return answerNewest(deps, world, query, {
        collection: "passcodes",
        fits: to === undefined && status === undefined ? undefined : fits,
        show: (one) => show(one, env),
        schema: routes.listPasscodes.answers[200],
      });
    },
    sendPasscode: ({ change, world, body, env }) => {
      const app = appOfBody(world, body);
      const record = change((w) => sendPasscode(w, app, body.userId, env));
      tellSent(deps, app.app, record);
      log.logins.codeSent(app.app.appId, record.to, env.now());
      return made(show({ app, record }, env));
    },
    clearPasscodes: ({ change, world, query }) => {
      change((w) => clearPasscodes(w, appsOf(world, query.appId)));
      return done;
    },
    latestPasscode: async ({ world, query: asked, env, req, holder }) => {
      const query =
        asked.requestId === "latest" ? { ...asked, requestId: newestAsking(deps, holder, asked.appId) } : asked;
      const { appId, requestId, unread, wait } = query;
      const afterSeq = seqOf(world, query.after);
      const errors = latestErrors(world, query, queryIn(req.url).get("to"));
      if (errors !== undefined || afterSeq === undefined)
        return invalid(errors ?? { after: ["must be the id of a passcode, or a seq"] });
      const look = () => latest(world, query, afterSeq, env, read.has);
      /** Taken in the same step, so that of two readers that wait, each gets one. */
      const take = (): Found<"passcodes"> | "none" | undefined => {
        const found = look();
        if (found !== undefined && unread === "1") read.add(found);
        return found ?? (isFinal(world, query, env) ? "none" : undefined);
      };
      if (requestId !== undefined && look() === undefined && isFinal(world, query, env))
        mustBeHere(requestId, appId, holder !== undefined);
      const wanted = { look: take, appId, concerns: concerning(query) };
      const found = await waits.for(wanted, wait, req, holder?.appId);
      if (found === "full") return problem("too_many_waits");
      if (found === undefined || found === "none") {
        appOfQuery(world, query);
        return noPasscode({ world, env, log, query, afterSeq, isHeld: holder !== undefined, isRead: read.has });
      }
      if (/^text\/plain\b/.test(req.headers.accept ?? ""))
        return { status: 200, text: `${found.record.code}\n`, contentType: "text/plain; charset=utf-8" };
      return ok(show(found, env));
    },
    readPasscode: ({ world, params, env }) => ok(show(recordNamed(world, "passcodes", params["id"]), env)),
    expirePasscode: ({ change, world, params, env }) => {
      const { app, record } = recordNamed(world, "passcodes", params["id"]);
      return ok(show({ app, record: change((w) => expirePasscode(w, app, record, env)) }, env));
    },
  } satisfies Partial<Handlers<"console">>;
};
