/**
 * The control API: the request log (CONTRACT 6).
 */
import { problem } from "#contract/problems.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";

type RequestOperations = "listRequests" | "readRequest" | "clearRequests";

/** @returns the handlers of the request log. */
export const createControlRequestHandlers = ({ log }: Deps): Pick<Handlers<"console">, RequestOperations> => ({
  listRequests: ({ query }) => ({ status: 200, body: log.list(query) }),
  readRequest: ({ params }) => {
    const found = log.find(params.id ?? "");
    return found === undefined ? problem("unknown_record") : { status: 200, body: found };
  },
  clearRequests: () => {
    log.clear();
    return { status: 204, body: null };
  },
});
