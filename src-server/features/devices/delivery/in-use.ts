/** The delivery of a server, in use: it hears of every message. */
import type { Kernel } from "#http/kits.ts";
import { Delivery } from "./delivery.ts";
import { createPrograms } from "./programs.ts";

/** Timeout of a program, in milliseconds. */
const PROGRAM_MS = 5_000;

/** For this kit, and for those that stand on it: `kernel.once(createDelivery)`. */
export const createDelivery = ({ started, program, bus, hooks, signal }: Kernel): Delivery => {
  const programs = started.programs ?? createPrograms({ timeoutMs: PROGRAM_MS });
  const delivery = new Delivery(programs, program.warn, bus.publish);
  hooks.sent.push((app, passcode) => delivery.deliver(app, passcode));
  hooks.devices.push((passcodeId) => delivery.devicesOf(passcodeId));
  signal.addEventListener("abort", () => delivery.stop());
  return delivery;
};
