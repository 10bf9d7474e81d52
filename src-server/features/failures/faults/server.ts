/** The control API: faults, and messages that they delay. */

import { routes } from "#contract/control/routes.ts";
import { invalid } from "#contract/service/problems.ts";
import { changeProfile } from "#domain/profiles.ts";
import { isHidden } from "#domain/world.ts";
import type { Setup } from "#features/kernel.ts";
import { answerInSlices, listPage } from "#http/answering/pages.ts";
import type { Call } from "#http/handler.ts";
import { appOfQuery, done, made, notFound, ok, recordNamed, settled, shownPasscode } from "#http/lookups/select.ts";
import { meantByPattern } from "#http/paths.ts";
import { Arrivals } from "./arrivals.ts";
import type { FaultItem } from "./contract/faults.ts";
import { faultOwnerOf } from "./fault-list.ts";
import { weatherHandlers } from "./weather.ts";

export const setup: Setup<"faults"> = (kernel) => {
  const { maxima, faults, ports } = kernel;
  const arrivals = new Arrivals(kernel);
  /** @returns the fault in the path. @throws Refusal if there is none that the caller may see. */
  const named = ({ params: { id = "" }, holder }: Pick<Call<"readFault">, "params" | "holder">): FaultItem => {
    const seen = faults.list(holder?.appId);
    const found = id === "latest" ? seen.at(-1) : seen.find((fault) => fault.id === id.toLowerCase());
    if (found !== undefined) return found;
    const known = seen.map((fault) => fault.id);
    throw notFound("fault", id, known);
  };
  return {
    ...weatherHandlers(kernel),
    listFaults: ({ world, query: { appId, after, limit } }) => {
      appOfQuery(world, appId === undefined ? {} : { appId });
      const all = faults.list(appId).filter(({ match }) => appId !== undefined || !isHidden(world, match.appId));
      const isNewest = after === "latest";
      const start = after === undefined ? 0 : isNewest ? all.length : all.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && start === 0 && !isNewest) throw notFound("fault", after);
      const page = { entries: all.slice(start), total: all.length, limit };
      const shown = { ...page, show: (fault: FaultItem) => fault, idOf: ({ id }: FaultItem) => id };
      return answerInSlices(listPage(shown, maxima.pageBytes), kernel, routes.listFaults.answers[200]);
    },
    addFault: ({ world, holder, body }) => {
      appOfQuery(world, body.match);
      const { path, listener } = body.match;
      const meant = path && meantByPattern(path, listener);
      if (meant !== undefined) return invalid({ "match.path": [`is not a path of the API; did you mean "${meant}"?`] });
      const added = faults.add([body], { by: faultOwnerOf(holder) });
      if ("problem" in added) return added;
      const [fault] = added.faults;
      if (fault === undefined) throw new Error("A fault was added, and is not there.");
      return made(fault);
    },
    readFault: (call) => ok(named(call)),
    removeFault: ({ change, world, env, ...call }) => {
      const found = named(call);
      if (found.userId === null) faults.remove(found.id);
      else {
        const { app, record } = recordNamed(world, "profiles", found.userId, found.match.appId);
        change((w) => changeProfile(w, app, record, { scenario: null }, env));
      }
      return done;
    },
    clearFaults: ({ world, query }) => {
      appOfQuery(world, query);
      faults.clear(query.appId);
      return done;
    },
    deliverPasscode: ({ cause, world, params, env }) => {
      const { app, record: passcode } = recordNamed(world, "passcodes", params["id"]);
      const record = settled(arrivals.deliver(app, passcode, cause));
      return ok(shownPasscode(ports.devices, { app, record }, env));
    },
  };
};
