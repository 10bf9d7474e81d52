/** What answers the kernel where it asks a feature by name (http/ports.ts). */
import { z } from "zod";
import { Delivery } from "./devices/delivery/delivery.ts";
import { faultItem } from "./failures/faults/contract/faults.ts";
import { Faults, meaning } from "./failures/faults/faults.ts";
import { createMeetFault } from "./failures/faults/meet-fault.ts";
import type { Given, Kernel } from "./kernel.ts";

/** @returns what the kernel asks of features, and what features share. */
export const createPorts = (given: Given): Pick<Kernel, "ports" | "faults" | "delivery"> => {
  const { store, env, bus, maxima, observers, program, started } = given;
  const faults = new Faults(store, env, bus.publish, maxima);
  store.shares.counts("faults", (appId) => faults.bytesOf(appId));
  faults.takeOver(z.array(faultItem).parse(started.seen?.faults ?? []));
  observers.reset.push((appId) => faults.clear(appId));
  const delivery = new Delivery(given);
  const meet = createMeetFault(given, faults);
  return {
    faults,
    delivery,
    ports: {
      faults: {
        meet: (pending, answers) => (faults.any ? meet(pending, answers) : undefined),
        setImported: ({ faults: imported = [] }, appId) => {
          // A token that is bound to an app sets only faults of this app, in the room of its own.
          const own = imported.filter(({ match }) => appId === undefined || match.appId === appId);
          const known = new Set(faults.list().map(meaning));
          const missing = own.filter((fault) => !known.has(meaning(fault)));
          if ("problem" in faults.add(missing, { by: appId ?? null }))
            program.warn(`The faults of the import were not set: there is no room for ${own.length} more.`);
        },
      },
      devices: delivery,
    },
  };
};
