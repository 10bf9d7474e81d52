/** Lists of passcodes and of sessions in the control API: newest first, filtered, a page at a time. */
import type { Steps } from "#domain/steps.ts";
import type { World } from "#domain/world.ts";
import { answerInSlices, listPage } from "../answering/pages.ts";
import type { Deps } from "../deps.ts";
import { idOrNewest } from "./latest-id.ts";
import { appsOf, type Found, newestFirst, recordNamed } from "./select.ts";

interface Listed<C extends "passcodes" | "sessions", T> {
  readonly collection: C;
  /** Absent: all fit, without scanning. */
  readonly fits: ((found: Found<C>) => boolean) | undefined;
  readonly show: (found: Found<C>) => T;
  readonly schema: { parse(value: unknown): unknown };
}

interface PageQuery {
  readonly appId?: string;
  readonly limit: number;
  /** An id, or `latest`. */
  readonly after?: string;
}

/** @returns the answer with the page. @throws Refusal if the app, or the record to go on after, is unknown. */
export const answerNewest = <C extends "passcodes" | "sessions", T extends { readonly id: string }>(
  deps: Pick<Deps, "env" | "checks" | "maxima">,
  world: World,
  { appId, limit, after: afterId }: PageQuery,
  { collection, fits, show, schema }: Listed<C, T>,
) => {
  const apps = appsOf(world, appId);
  const after =
    afterId === undefined
      ? undefined
      : recordNamed(world, collection, idOrNewest(afterId, world, collection, appId), appId);
  const steps = function* (): Steps<object> {
    const { found, total } = yield* newestFirst(apps, collection, { limit: limit + 1, after, fits });
    return yield* listPage({ entries: found, total, limit, show, idOf: ({ id }: T) => id }, deps.maxima.pageBytes);
  };
  return answerInSlices(steps(), deps, schema);
};
