/** What answers the kernel where it asks a feature by name (http/ports.ts). */
import { Delivery } from "./devices/delivery/delivery.ts";
import { createFaults, createSetImported } from "./failures/faults/in-force.ts";
import { createMeetFault } from "./failures/faults/meet-fault.ts";
import type { Given, Kernel } from "./kernel.ts";

/** @returns what the kernel asks of features, and what features share. */
export const createPorts = (given: Given): Pick<Kernel, "ports" | "faults" | "delivery"> => {
  const faults = createFaults(given);
  const delivery = new Delivery(given);
  const meet = createMeetFault(given, faults);
  return {
    faults,
    delivery,
    ports: {
      faults: {
        meet: (pending, answers) => (faults.any ? meet(pending, answers) : undefined),
        setImported: createSetImported(given, faults),
      },
      devices: delivery,
    },
  };
};
