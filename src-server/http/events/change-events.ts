/** Converts the changes of a transaction to events of the console (CONTRACT 6, events). */
import type { EventData } from "#contract/events.ts";
import type { Collection, RecordsOfApp } from "#contract/records.ts";
import { clockItem } from "#domain/clock.ts";
import { connectionItem } from "#domain/connections.ts";
import type { Change } from "#domain/decision.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import { profileItem } from "#domain/profiles.ts";
import { sessionItem } from "#domain/sessions.ts";
import type { Committed } from "#domain/store.ts";
import type { Deps } from "../deps.ts";

/** Above this many changes at once, the console only gets a `state.put` event without details. */
const MANY = 200;

const NOUN = {
  profiles: "profile",
  passcodes: "passcode",
  sessions: "session",
  connections: "connection",
} as const satisfies Record<Collection, string>;

type Show = { [C in Collection]: (appId: string, record: RecordsOfApp[C]) => unknown };

/** @returns the events of a transaction, in order. */
export const createChangeEvents = ({
  store,
  env,
  realNow,
  devices,
  leases,
}: Pick<Deps, "store" | "env" | "realNow" | "devices" | "leases">): ((
  changes: readonly Committed[],
) => EventData[]) => {
  const show: Show = {
    profiles: profileItem,
    passcodes: (appId, record) => {
      const profile = store.world.app(appId)?.find("profiles", record.userId);
      return passcodeItem(appId, record, profile, env.now(appId), devices.devicesOf(record.id));
    },
    sessions: (appId, record) => sessionItem(appId, record, env.now(appId)),
    connections: connectionItem,
  };
  const shown = (change: Extract<Change, { put: Collection }>): unknown => {
    switch (change.put) {
      case "profiles":
        return show.profiles(change.appId, change.record);
      case "passcodes":
        return show.passcodes(change.appId, change.record);
      case "sessions":
        return show.sessions(change.appId, change.record);
      case "connections":
        return show.connections(change.appId, change.record);
    }
  };
  const appOf = (appId: string | null) => (appId === null ? undefined : store.world.app(appId)?.app);
  const eventsOf = ({ seq, change }: Committed): EventData[] => {
    if ("put" in change) {
      if (change.put === "app") {
        const app = store.world.app(change.record.appId);
        return app === undefined
          ? []
          : [{ type: "app.put", appId: change.record.appId, seq, item: leases.itemOf(app, change.record) }];
      }
      if (change.put === "clock") {
        return [
          {
            type: "clock.put",
            appId: change.appId,
            seq,
            item: clockItem(change.record ?? store.world.clock, appOf(change.appId), realNow()),
          },
        ];
      }
      return [{ type: `${NOUN[change.put]}.put`, appId: change.appId, seq, item: shown(change) }];
    }
    if (change.remove === "app")
      return [{ type: "app.remove", appId: change.appId, seq, item: { appId: change.appId } }];
    const type = `${NOUN[change.remove]}.remove` as const;
    const key = change.remove === "profiles" ? "userId" : "id";
    if (change.ids.length > MANY) return [{ type: "state.put", appId: change.appId, seq, item: null }];
    return change.ids.map((id) => ({ type, appId: change.appId, seq, item: { [key]: id } }));
  };
  return (changes) => {
    const last = changes.at(-1);
    if (last === undefined) return [];
    if (changes.length > MANY) return [{ type: "state.put", appId: null, seq: last.seq, item: null }];
    return changes.flatMap(eventsOf);
  };
};
