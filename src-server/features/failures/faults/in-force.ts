/** The faults of a server. */
import { z } from "zod";
import type { FaultInput } from "#contract/service/faults.ts";
import type { Given } from "#features/kernel.ts";
import type { Ports } from "#http/ports.ts";
import { faultItem } from "./contract/faults.ts";
import { Faults, meaning } from "./faults.ts";

const isNew = (there: readonly FaultInput[]): ((fault: FaultInput) => boolean) => {
  const known = new Set(there.map(meaning));
  return (fault) => !known.has(meaning(fault));
};

/** @returns the faults of a server. */
export const createFaults = ({ store, env, bus, maxima, observers, started }: Given): Faults => {
  const faults = new Faults(store, env, bus.publish, maxima);
  store.shares.counts("faults", (appId) => faults.bytesOf(appId));
  faults.takeOver(z.array(faultItem).parse(started.seen?.faults ?? []));
  observers.reset.push((appId) => faults.clear(appId));
  return faults;
};

/** @returns what sets the faults of an imported world, or only those of this app. */
export const createSetImported =
  ({ program }: Given, faults: Faults): Ports["faults"]["setImported"] =>
  ({ faults: given = [] }, appId) => {
    // A token that is bound to an app sets only faults of this app, in the room of its own.
    const own = given.filter(({ match }) => appId === undefined || match.appId === appId);
    const added = faults.add(own.filter(isNew(faults.list())), { by: appId ?? null });
    if ("problem" in added)
      program.warn(`The faults of the import were not set: there is no room for ${own.length} more.`);
  };
