/**
 * The control API: connections (CONTRACT 6).
 */
import { problem } from "#contract/problems.ts";
import { addConnection, changeConnection, connectionItem, removeConnection } from "#domain/connections.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appOfBody, appsOf, type Found, findRecord } from "../select.ts";

const show = ({ app, record }: Found<"connections">) => connectionItem(app.app.appId, record);

type ConnectionOperations =
  | "listConnections"
  | "addConnection"
  | "readConnection"
  | "changeConnection"
  | "removeConnection";

/** @returns the handlers of connections. */
export const createControlConnectionHandlers = ({ store }: Deps): Pick<Handlers<"console">, ConnectionOperations> => ({
  listConnections: ({ world, query: { appId, userId } }) => {
    const items = appsOf(world, appId).flatMap((app) =>
      (userId === undefined ? app.connections : app.of("connections", userId)).map((record) => show({ app, record })),
    );
    return { status: 200, body: { items, total: items.length } };
  },
  addConnection: ({ world, body, env }) => {
    const of = appOfBody(world, body.appId);
    if ("problem" in of) return of;
    const outcome = store.transact((w) => addConnection(w, of.app, body, env));
    return outcome.ok ? { status: 201, body: show({ app: of.app, record: outcome.value }) } : outcome;
  },
  readConnection: ({ world, params }) => {
    const found = findRecord(world, "connections", params.id);
    return found === undefined ? problem("unknown_record") : { status: 200, body: show(found) };
  },
  changeConnection: ({ world, params, body, env }) => {
    const found = findRecord(world, "connections", params.id);
    if (found === undefined) return problem("unknown_record");
    const outcome = store.transact((w) => changeConnection(w, found.app, found.record.id, body, env));
    return outcome.ok ? { status: 200, body: show({ app: found.app, record: outcome.value }) } : outcome;
  },
  removeConnection: ({ world, params }) => {
    const found = findRecord(world, "connections", params.id);
    if (found === undefined) return problem("unknown_record");
    const outcome = store.transact((w) => removeConnection(w, found.app, found.record.id));
    return outcome.ok ? { status: 204, body: null } : outcome;
  },
});
