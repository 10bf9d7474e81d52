/** The delivery of a server. */
import type { Given } from "#features/kernel.ts";
import { Delivery } from "./delivery.ts";
import { createPrograms } from "./programs.ts";

/** Timeout of a program, in milliseconds. */
const PROGRAM_MS = 5_000;

/** @returns the delivery of a server, until it ends. */
export const createDelivery = ({ started, program, bus, log, signal }: Given): Delivery => {
  const programs = started.programs ?? createPrograms({ timeoutMs: PROGRAM_MS });
  const delivery = new Delivery(programs, program.warn, bus.publish, (id) => log.row(id));
  signal.addEventListener("abort", () => delivery.stop());
  return delivery;
};
