/**
 * The request log as the console reads it, and what keeps it current.
 */
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { requestItem, requestQuery as requestQuerySchema } from "#contract/requests.ts";
import { routes } from "#contract/routes.ts";
import { ask, tell } from "./client.ts";
import { RequestFailed } from "./request-failed.ts";

/** One request and its answer. */
export type RequestRow = z.output<typeof requestItem>;
/** Which rows are asked for. */
export type RequestFilter = Omit<z.input<typeof requestQuerySchema>, "limit">;

/** The newest rows that a filter lets through. */
export const requestsQuery = (filter: RequestFilter, limit: number) =>
  queryOptions({
    queryKey: ["requests", filter, limit],
    queryFn: ({ signal }) => ask(routes.listRequests, { signal, query: { ...filter, limit: String(limit) } }),
    placeholderData: keepPreviousData,
    // Rows weigh kilobytes: what no screen shows is let go soon.
    gcTime: 10_000,
  });

/** One row; null if the log no longer has it. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ["request", id],
    queryFn: ({ signal }): Promise<RequestRow | null> =>
      ask(routes.readRequest, { signal, params: { id } }).catch((error: unknown) => {
        if (error instanceof RequestFailed && error.status === 404) return null;
        throw error;
      }),
    gcTime: 10_000,
  });

/** Forgets all rows. The log tells of new rows only: who clears it reads it again. */
export const clearRequests = async (client: QueryClient): Promise<void> => {
  await tell(routes.clearRequests, {});
  await client.invalidateQueries({ queryKey: ["requests"] });
};

const PAUSE_MS = 250;
let reading = false;
let more = false;

/** Reads the rows that are on the screen again: at once, and under load a few times a second. */
export const refreshRequests = async (client: QueryClient): Promise<void> => {
  more = true;
  if (reading) return;
  reading = true;
  while (more) {
    more = false;
    await client.invalidateQueries({ queryKey: ["requests"] });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  reading = false;
};
