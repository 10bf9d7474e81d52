/**
 * The control API: faults (CONTRACT 6).
 */
import { problem } from "#contract/problems.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";

type FaultOperations = "listFaults" | "addFault" | "readFault" | "removeFault" | "clearFaults";

/** @returns the handlers of faults. */
export const createControlFaultHandlers = ({ faults }: Deps): Pick<Handlers<"console">, FaultOperations> => ({
  listFaults: ({ query }) => {
    const items = [...faults.list(query.appId)];
    return { status: 200, body: { items, total: items.length } };
  },
  addFault: ({ body }) => {
    const added = faults.add(body);
    return "problem" in added ? added : { status: 201, body: added.fault };
  },
  readFault: ({ params }) => {
    const found = faults.find(params.id ?? "");
    return found === undefined ? problem("unknown_record") : { status: 200, body: found };
  },
  removeFault: ({ params }) =>
    faults.remove(params.id ?? "") ? { status: 204, body: null } : problem("unknown_record"),
  clearFaults: ({ query }) => {
    faults.clear(query.appId);
    return { status: 204, body: null };
  },
});
