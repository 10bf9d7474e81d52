/** The control API: the request log (CONTRACT 6). */
import type { RequestItem, ResendInput } from "#contract/requests.ts";
import { isHidden, type World } from "#domain/world.ts";
import { JSON_TYPE } from "../answer.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appOfQuery, done, notFound, ok, Refusal } from "../select.ts";
import { forEachInSlices, jsonInSlices } from "../slices.ts";
import { curlOf } from "../traffic/curl.ts";
import { fullRow } from "../traffic/request-log.ts";
import { resend, sendableRequest } from "../traffic/resend.ts";

/** The nesting of rows in the answer: `{"items": [`. */
const LEVELS = 2;

/** @returns the handlers of the request log. */
export const createControlRequestHandlers = (deps: Deps) => {
  const { log, place, env } = deps;
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
      const { rows, total } = log.list(query, (appId) => query.appId !== undefined || !isHidden(world, appId));
      const items: RequestItem[] = [];
      // Advice is made when it is first read.
      await forEachInSlices(rows, env.monotonic, (row) => void items.push(fullRow(row)));
      const text = await jsonInSlices({ items, total }, LEVELS, env.monotonic);
      return { status: 200, text, contentType: JSON_TYPE };
    },
    readRequest: ({ params }) => {
      const found = log.find(params["id"] ?? "");
      if (found === undefined) throw notFound("request", params["id"] ?? "");
      return ok(found);
    },
    clearRequests: async ({ world, query, body: { ids, undo } }) => {
      appOfQuery(world, query);
      if (undo) log.recall(query.appId);
      else log.clear(query.appId, ids && new Set(ids));
      await log.keeper?.rewrite();
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
