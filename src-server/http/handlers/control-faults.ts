/** The control API: faults (CONTRACT 6). */
import { changeProfile } from "#domain/profiles.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appOfQuery, done, made, notFound, ok, type Refusal, recordNamed, settled } from "../select.ts";

/** @returns the handlers of faults. */
export const createControlFaultHandlers = ({ faults, store }: Deps) => {
  const unknown = (id: string | undefined): Refusal =>
    notFound(
      "fault",
      id ?? "",
      faults.list().map((fault) => fault.id),
    );
  return {
    listFaults: ({ world, query }) => {
      appOfQuery(world, query);
      const items = [...faults.list(query.appId)];
      return ok({ items, total: items.length });
    },
    addFault: ({ world, body }) => {
      appOfQuery(world, body.match);
      const added = faults.add(body);
      return "problem" in added ? added : made(added.fault);
    },
    readFault: ({ params }) => {
      const found = faults.find(params["id"] ?? "");
      if (found === undefined) throw unknown(params["id"]);
      return ok(found);
    },
    removeFault: ({ world, params, env }) => {
      const found = faults.find(params["id"] ?? "");
      if (found === undefined) throw unknown(params["id"]);
      if (found.userId === null) faults.remove(found.id);
      else {
        const { app, record } = recordNamed(world, "profiles", found.userId, found.match.appId);
        settled(store.transact((w) => changeProfile(w, app, record, { scenario: null }, env)));
      }
      return done;
    },
    clearFaults: ({ world, query }) => {
      appOfQuery(world, query);
      faults.clear(query.appId);
      return done;
    },
  } satisfies Partial<Handlers<"console">>;
};
