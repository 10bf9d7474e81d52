/** The faults of a server, in force: they meet its requests. */
import { z } from "zod";
import type { Kernel } from "#http/kits.ts";
import { faultItem } from "./contract/faults.ts";
import { Faults } from "./faults.ts";
import { createMeetFault } from "./meet-fault.ts";

/** For this kit, and for those that stand on it: `kernel.once(createFaults)`. */
export const createFaults = (kernel: Kernel): Faults => {
  const { store, env, realNow, bus, maxima, hooks, started } = kernel;
  const faults = new Faults(store, env, realNow, bus.publish, maxima);
  faults.takeOver(z.array(faultItem).parse(started.seen?.faults ?? []));
  const meet = createMeetFault(kernel, faults);
  hooks.complete.push((visit, answers) => (faults.any ? meet(visit, answers) : undefined));
  hooks.reset.push((appId) => faults.clear(appId));
  return faults;
};
