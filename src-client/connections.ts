/** Connections to other services. */
import type * as R from "./records.ts";
import { segment, type Transport } from "./transport.ts";

/** @returns the calls. @see Client */
export const createConnections = ({ ask, tell }: Transport) => ({
  create: (body: R.ConnectionInput): Promise<R.Connection> => ask("POST", "connections", { body }),
  get: (id: string): Promise<R.Connection> => ask("GET", `connections/${segment(id)}`),
  list: (query?: R.ConnectionQuery): Promise<R.List<R.Connection>> => ask("GET", "connections", { query }),
  update: (id: string, body: R.ConnectionPatch): Promise<R.Connection> =>
    ask("PATCH", `connections/${segment(id)}`, { body }),
  delete: (id: string): Promise<void> => tell("DELETE", `connections/${segment(id)}`),
});
