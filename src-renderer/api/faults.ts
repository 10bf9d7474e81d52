/**
 * The faults that are set, with their counters, and what the console does to them.
 */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { faultInput, faultItem } from "#contract/faults.ts";
import { routes } from "#contract/routes.ts";
import { ask, tell } from "./client.ts";
import type { Listed } from "./records.ts";
import { RequestFailed } from "./request-failed.ts";

/** A fault and its counters. */
export type Fault = z.output<typeof faultItem>;
/** What a fault is made of. */
export type NewFault = z.input<typeof faultInput>;
/** What an event tells of one. */
export type FaultChange = { readonly put: Fault } | { readonly removed: string };

/** @returns the faults after a change; a new one stands behind the others, as the server has it. */
export const withFault = (list: Listed<Fault>, change: FaultChange): Listed<Fault> => {
  if ("removed" in change) {
    const items = list.items.filter(({ id }) => id !== change.removed);
    return { items, total: items.length };
  }
  const { put } = change;
  const at = list.items.findIndex(({ id }) => id === put.id);
  const items = at < 0 ? [...list.items, put] : list.items.with(at, put);
  return { items, total: items.length };
};

/** Of each reading under way, what was told since it began: the answer may be older. */
const readings = new Set<FaultChange[]>();

/** All faults, of all apps, in order of making: the order in which requests meet them. */
export const faultsQuery = () =>
  queryOptions({
    queryKey: ["faults"],
    queryFn: async ({ signal }): Promise<Listed<Fault>> => {
      const told: FaultChange[] = [];
      readings.add(told);
      try {
        const list: Listed<Fault> = await ask(routes.listFaults, { signal });
        return told.reduce(withFault, list);
      } finally {
        readings.delete(told);
      }
    },
  });

/** Changes the cache by what an event told: under load a counter moves with each request, and nothing is read again. */
export const tellOfFault = (client: QueryClient, change: FaultChange): void => {
  for (const told of readings) told.push(change);
  client.setQueryData(faultsQuery().queryKey, (list) => list && withFault(list, change));
};

/** @returns whether a fault will meet another request. */
export const isOn = ({ remaining }: Fault): boolean => remaining !== 0;

/** Sets a fault, behind those that are set. */
export const addFault = (input: NewFault): Promise<Fault> => ask(routes.addFault, { body: input });

/** Removes a fault; one that is gone already is as good. */
export const removeFault = async (id: string): Promise<void> => {
  try {
    await tell(routes.removeFault, { params: { id } });
  } catch (error) {
    if (!(error instanceof RequestFailed && error.status === 404)) throw error;
  }
};

/** Removes every fault, of all apps. */
export const clearFaults = (): Promise<void> => tell(routes.clearFaults, {});
