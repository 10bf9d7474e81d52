/** The control API: connections. */
import { addConnection, changeConnection, connectionItem, removeConnection } from "#domain/connections.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appOfBody, appsOf, done, made, ok, recordNamed, settled } from "../lookups/select.ts";

/** @returns the handlers of connections. */
export const createControlConnectionHandlers = ({ store }: Deps) =>
  ({
    listConnections: ({ world, query: { appId, userId } }) => {
      const items = appsOf(world, appId).flatMap((app) =>
        (userId === undefined ? app.connections : app.of("connections", userId)).map((record) =>
          connectionItem(app.app.appId, record),
        ),
      );
      return ok({ items, total: items.length });
    },
    addConnection: ({ cause, world, body, env }) => {
      const app = appOfBody(world, body);
      return made(
        connectionItem(app.app.appId, settled(store.transact((w) => addConnection(w, app, body, env), cause))),
      );
    },
    readConnection: ({ world, params }) => {
      const { app, record } = recordNamed(world, "connections", params["id"]);
      return ok(connectionItem(app.app.appId, record));
    },
    changeConnection: ({ cause, world, params, body, env }) => {
      const { app, record } = recordNamed(world, "connections", params["id"]);
      const changed = settled(store.transact((w) => changeConnection(w, app, record, body, env), cause));
      return ok(connectionItem(app.app.appId, changed));
    },
    removeConnection: ({ cause, world, params }) => {
      const { app, record } = recordNamed(world, "connections", params["id"]);
      settled(store.transact((w) => removeConnection(w, app, record), cause));
      return done;
    },
  }) satisfies Partial<Handlers<"console">>;
