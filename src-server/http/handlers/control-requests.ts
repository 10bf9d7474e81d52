/** The control API: the request log. */
import { failureLine } from "#contract/control/refusals.ts";
import type { RequestItem, ResendInput } from "#contract/control/requests.ts";
import { routes } from "#contract/control/routes.ts";
import { isHidden, type World } from "#domain/world.ts";
import { answerInSlices, listPage } from "../answering/pages.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appOfQuery, done, notFound, ok, Refusal } from "../lookups/select.ts";
import { curlOf } from "../traffic/curl.ts";
import type { Exchange } from "../traffic/exchange.ts";
import { fullRow } from "../traffic/request-log.ts";
import { resend, sendableRequest } from "../traffic/resend.ts";

/** So many rows of a list have all advice; of the others it is worked out when they are read. */
const MOST_ADVISED = 100;

/** So many lines are about the failed requests of a test. */
const MOST_FAILED = 10;

/** @returns the handlers of the request log. */
export const createControlRequestHandlers = (deps: Deps) => {
  const { log, place, maxima } = deps;
  const find = (world: World, id: string | undefined, change?: ResendInput) => {
    const row = log.row(id ?? "");
    if (row === undefined || row.listener === "console") throw notFound("request", id ?? "");
    const request = sendableRequest(world, row, change);
    if ("problem" in request) throw new Refusal(request.problem);
    return { request, listener: row.listener };
  };
  return {
    listRequests: async ({ world, query }) => {
      appOfQuery(world, query);
      const listed = log.list(query, (appId) => query.appId !== undefined || !isHidden(world, appId));
      if (listed === undefined) throw notFound("request", query.after ?? "");
      // Advice is made when it is first read; a long list has only what is known at once of its later rows.
      const page = {
        ...{ entries: listed.rows, total: listed.total, limit: query.limit },
        show: (row: Exchange, place: number) => fullRow(row, place >= MOST_ADVISED),
        idOf: ({ id }: RequestItem) => id,
      };
      return await answerInSlices(listPage(page, maxima.pageBytes), deps, routes.listRequests.answers[200]);
    },
    failedRequests: ({ world, query: { since, ...ofApp } }) => {
      appOfQuery(world, ofApp);
      const { rows = [] } = log.list(ofApp, (appId) => ofApp.appId !== undefined || !isHidden(world, appId)) ?? {};
      const from = rows.findIndex(({ id }) => id === since);
      const failed = rows.slice(0, from < 0 ? rows.length : from).filter(({ status }) => status === 0 || status >= 400);
      const lines = failed.slice(0, MOST_FAILED).map((row) => failureLine(fullRow(row)));
      return ok({ text: lines.reverse().join("\n") });
    },
    readRequest: ({ params }) => {
      const found = log.find(params["id"] ?? "");
      if (found === undefined) throw notFound("request", params["id"] ?? "");
      return ok(found);
    },
    clearRequests: ({ world, holder, query: { appId }, body: { ids, undo } }) => {
      appOfQuery(world, { ...(appId !== undefined && { appId }) });
      const chosen = ids && new Set(ids);
      // For good: only the owner can bring back what was cleared last, and what can be brought back takes memory.
      if (holder?.appId !== undefined) log.forget(holder.appId, undo ? new Set() : chosen);
      else if (undo) log.recall(appId);
      else log.clear(appId, chosen);
      return done;
    },
    requestCurl: ({ world, params }) => {
      const { request, listener } = find(world, params["id"]);
      return {
        status: 200,
        text: curlOf(request, listener, place.urls()[listener]),
        contentType: "text/plain; charset=utf-8",
      };
    },
    resendRequest: async ({ world, params, body }) => {
      const { request, listener } = find(world, params["id"], body);
      return ok(await resend(request, Number(new URL(place.listening()[listener]).port)));
    },
  } satisfies Partial<Handlers<"console">>;
};
