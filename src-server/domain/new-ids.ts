/** The ids of new records. */
import { COLLECTIONS } from "#contract/service/records.ts";
import type { AppWorld, Env } from "./world.ts";

/** @returns whether a profile has this id, or any record refers to it as its user. */
export const isIdTaken = (app: AppWorld, id: string): boolean =>
  COLLECTIONS.some((noun) => app.find(noun, id) !== undefined) || app.of("connections", id).length > 0;

/** @param what such as `session`, unique within a transaction. @returns the id for a new record. */
export const newId = (env: Env, app: AppWorld, what: string): string =>
  env.random(app.app).uuid(what, (id) => isIdTaken(app, id));

/** @returns the id of the request that creates a record (its row in the log); null if there is none. */
export const requestIdOf = ({ request, random }: Env, { app }: AppWorld): string | null =>
  request.id === null ? null : random(app).requestId(request.id);
