/** The control API: connections. */
import { addConnection, changeConnection, connectionItem, removeConnection } from "#domain/connections.ts";
import type { Handlers } from "../handler.ts";
import { appOfBody, appsOf, done, made, ok, recordNamed } from "../lookups/select.ts";

/** @returns the handlers of connections. */
export const createControlConnectionHandlers = () =>
  ({
    listConnections: ({ world, query: { appId, userId } }) => {
      const items = appsOf(world, appId).flatMap((app) =>
        (userId === undefined ? app.connections : app.of("connections", userId)).map((record) =>
          connectionItem(app.app.appId, record),
        ),
      );
      return ok({ items, total: items.length });
    },
    addConnection: ({ change, world, body, env }) => {
      const app = appOfBody(world, body);
      const added = change((w) => addConnection(w, app, body, env));
      return made(connectionItem(app.app.appId, added));
    },
    readConnection: ({ world, params }) => {
      const { app, record } = recordNamed(world, "connections", params["id"]);
      return ok(connectionItem(app.app.appId, record));
    },
    changeConnection: ({ change, world, params, body, env }) => {
      const { app, record } = recordNamed(world, "connections", params["id"]);
      const changed = change((w) => changeConnection(w, app, record, body, env));
      return ok(connectionItem(app.app.appId, changed));
    },
    removeConnection: ({ change, world, params }) => {
      const { app, record } = recordNamed(world, "connections", params["id"]);
      change((w) => removeConnection(w, app, record));
      return done;
    },
  }) satisfies Partial<Handlers<"console">>;
