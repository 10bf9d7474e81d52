/**
 * The control API: the request log (CONTRACT 6).
 */
import { problem } from "#contract/problems.ts";
import type { World } from "#domain/world.ts";
import { curlOf } from "../curl.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { repeatOf } from "../repeat.ts";
import { replay } from "../replay.ts";

type RequestOperations = "listRequests" | "readRequest" | "clearRequests" | "requestCurl" | "replayRequest";

/** @returns the handlers of the request log. */
export const createControlRequestHandlers = ({ log, urls }: Deps): Pick<Handlers<"console">, RequestOperations> => {
  const find = (world: World, id: string | undefined) => {
    const row = log.row(id ?? "");
    if (row === undefined || row.listener === "console") return problem("unknown_record");
    const repeat = repeatOf(world, row);
    return "problem" in repeat ? repeat : { repeat, listener: row.listener, url: urls()[row.listener] };
  };
  return {
    listRequests: ({ query }) => ({ status: 200, body: log.list(query) }),
    readRequest: ({ params }) => {
      const found = log.find(params.id ?? "");
      return found === undefined ? problem("unknown_record") : { status: 200, body: found };
    },
    clearRequests: () => {
      log.clear();
      return { status: 204, body: null };
    },
    requestCurl: ({ world, params }) => {
      const found = find(world, params.id);
      if ("problem" in found) return found;
      const text = curlOf(found.repeat, found.listener, found.url);
      return { status: 200, text, contentType: "text/plain; charset=utf-8" };
    },
    replayRequest: async ({ world, params }) => {
      const found = find(world, params.id);
      if ("problem" in found) return found;
      return { status: 200, body: await replay(found.repeat, Number(new URL(found.url).port)) };
    },
  };
};
