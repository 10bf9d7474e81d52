/** Lists of passcodes and of sessions in the control API: newest first, filtered, a page at a time. */
import type { Lists, RecordsOfApp } from "#contract/service/records.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import type { AppWorld, World } from "#domain/world.ts";
import { answerInSlices, listPage } from "../answering/pages.ts";
import type { Deps } from "../deps.ts";
import { idOrNewest } from "./latest-id.ts";
import { appsOf, type Found, recordNamed } from "./select.ts";

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
  { appId, limit, after }: PageQuery,
  { collection, fits, show, schema }: Listed<C, T>,
) => {
  const apps: readonly (AppWorld & Lists)[] = appsOf(world, appId);
  const idOf = after && idOrNewest(after, world, collection, appId);
  const most = idOf === undefined ? Infinity : recordNamed(world, collection, idOf, appId).record.seq;
  const steps = function* (): Steps<object> {
    let total = 0;
    let entries: Found<C>[] = [];
    for (const app of apps) {
      const live: Lists[C] = app[collection];
      // A copy: others may change the list between two steps.
      const all = live.map((record: RecordsOfApp[C]) => ({ app, record }));
      const fitting: Found<C>[] = fits === undefined ? all : [];
      if (fits !== undefined) yield* inSteps(all, (one) => void (fits(one) && fitting.push(one)));
      const end = 1 + fitting.findLastIndex(({ record }) => record.seq < most);
      total += fitting.length;
      entries.push(...fitting.slice(Math.max(0, end - limit - 1), end));
      entries = entries.sort((a, b) => b.record.seq - a.record.seq).slice(0, limit + 1);
      yield undefined;
    }
    return yield* listPage({ entries, total, limit, show, idOf: ({ id }: T) => id }, deps.maxima.pageBytes);
  };
  return answerInSlices(steps(), deps, schema);
};
