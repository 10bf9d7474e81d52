/** Converts the changes of a transaction to events of the console. */
import type { EventData } from "#contract/control/events.ts";
import { type Collection, NOUNS, type RecordsOfApp } from "#contract/service/records.ts";
import { clockItem } from "#domain/clock.ts";
import { connectionItem } from "#domain/connections.ts";
import type { Change } from "#domain/decision.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import { profileItem } from "#domain/profiles.ts";
import { sessionItem } from "#domain/sessions.ts";
import type { Committed } from "#domain/store.ts";
import type { Deps } from "../deps.ts";
import { shownPasscode } from "../lookups/select.ts";

/** Above this many changes at once, the console only gets a `state.put` event without details. */
const MANY = 200;

/** @returns the events of a transaction, in order. */
export const createChangeEvents = ({
  store,
  env,
  leases,
  ports,
}: Pick<Deps, "store" | "env" | "leases" | "ports">): ((changes: readonly Committed[]) => EventData[]) => {
  const items: { readonly [C in Collection]: (appId: string, record: RecordsOfApp[C]) => unknown } = {
    profiles: profileItem,
    passcodes: (appId, record) => {
      const app = store.world.app(appId);
      return app === undefined
        ? passcodeItem(appId, record, undefined, env.now(appId))
        : shownPasscode(ports.devices, { app, record }, env);
    },
    sessions: (appId, record) => sessionItem(appId, record, env.now(appId)),
    connections: connectionItem,
  };
  const itemOf = <C extends Collection>(noun: C, appId: string, record: RecordsOfApp[C]) => items[noun](appId, record);

  const partsOf = (change: Change): Pick<EventData, "type" | "item">[] => {
    if ("remove" in change) {
      if (change.remove === "app") return [{ type: "app.remove", item: { appId: change.appId } }];
      if (change.ids.length > MANY) return [{ type: "state.put", item: null }];
      const key = change.remove === "profiles" ? "userId" : "id";
      return change.ids.map((id) => ({ type: `${NOUNS[change.remove]}.remove`, item: { [key]: id } }));
    }
    if (change.put === "app") {
      const app = store.world.app(change.record.appId);
      return app === undefined ? [] : [{ type: "app.put", item: leases.item(app, change.record) }];
    }
    if (change.put === "clock") {
      const app = change.appId === null ? undefined : store.world.app(change.appId)?.app;
      return [{ type: "clock.put", item: clockItem(change.record ?? store.world.clock, app, env.realNow()) }];
    }
    return [{ type: `${NOUNS[change.put]}.put`, item: itemOf(change.put, change.appId, change.record) }];
  };
  return (changes) => {
    const last = changes.at(-1);
    if (last === undefined) return [];
    if (changes.length > MANY) return [{ type: "state.put", appId: null, seq: last.seq, item: null }];
    return changes.flatMap(({ seq, change }) => {
      const appId = "put" in change && change.put === "app" ? change.record.appId : change.appId;
      return partsOf(change).map(({ type, item }) => ({ type, appId, seq, item }));
    });
  };
};
