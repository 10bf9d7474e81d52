/** The control API: the timeline, rewinding, marks. */

import { routes } from "#contract/control/routes.ts";
import { invalid } from "#contract/service/problems.ts";
import type { Steps } from "#contract/steps.ts";
import type { Decision } from "#domain/decision.ts";
import { type HistoryView, undoneIn } from "#domain/history/history.ts";
import { isHidden, type World } from "#domain/world.ts";
import type { Setup } from "#features/kernel.ts";
import { answerInSlices, pageOf } from "#http/answering/pages.ts";
import { transactUndoable } from "#http/answering/undoable.ts";
import type { TokenHolder } from "#http/guards/token-holder.ts";
import { appOfBody, appOfQuery, notFound, ok } from "#http/lookups/select.ts";
import type { RewindAnswer } from "./contract/rewind.ts";
import { createHistoryItems, entriesOf, sinceCreation } from "./history-items.ts";
import { rewindTo } from "./rewind.ts";
import { undoOf } from "./undo.ts";

type Rule = (world: World) => Steps<Decision<RewindAnswer["changed"]>>;

export const setup: Setup<"rewind"> = (kernel) => {
  const { store, log, bus, env, maxima, started } = kernel;
  const seenTimeline = started.seen?.timeline;
  const knownTo = (holder: TokenHolder | undefined): HistoryView =>
    holder?.appId === undefined ? store.history : sinceCreation(store.history, holder.appId);
  /** An app that was created with the join token inherits nothing, so that no job gets the data of another. */
  const historyOf = (appId: string): HistoryView =>
    store.world.app(appId)?.app.joined === undefined ? store.history : sinceCreation(store.history, appId);

  const changeOf = (requestId: string) => store.history.items.find((entry) => entry.requestId === requestId);

  /** @returns the app of a request, whose row can have been cleared. */
  const appOfRequest = (id: string): string => {
    const appId = log.row(id)?.appId ?? changeOf(id)?.differences[0]?.appId;
    if (typeof appId !== "string") throw notFound("request", id);
    return appId;
  };

  /** @returns the moment right before a request: its number, and real time in ms if the request changed something. */
  const beforeRequest = (id: string, appId: string): { readonly to: number; readonly realMs?: number } => {
    const own = changeOf(id);
    if (own?.differences.some((one) => one.appId === appId)) return { to: own.first - 1, realMs: own.realMs };
    const row = log.row(id);
    if (row?.appId !== appId) throw notFound("request", id);
    return { to: row.seq };
  };

  /** Publishes a rewind, if anything changed. @param before the number of the last change before it. */
  const publish = async (before: number, appId: string | null, order: object, changed: RewindAnswer["changed"]) => {
    const done = { seq: store.world.seq, changed };
    if (done.seq === before) return done;
    // After the events of its changes, which wait for the disk.
    const durable = store.durable();
    if (durable !== undefined) await durable;
    bus.publish({ type: "rewind", appId, item: { appId, ...order, ...done } });
    return done;
  };

  return {
    readTimeline: ({ world, holder, query: { before, limit, brief, ...scope } }) => {
      if (seenTimeline !== undefined)
        return ok({ items: [...seenTimeline], total: seenTimeline.length, oldestSeq: Number.MAX_SAFE_INTEGER });
      const timeline = knownTo(holder);
      const { oldestSeq } = timeline.extent(scope.appId);
      const steps = function* (): Steps<object> {
        const hides = (appId: string | null): boolean => isHidden(world, appId);
        const all = yield* entriesOf(timeline.items, scope.appId === undefined ? { ...scope, hides } : scope);
        // A deleted app is in the timeline too.
        if (all.length === 0) appOfQuery(world, scope);
        const asked = before === undefined ? all : all.filter(({ entry }) => entry.seq < before);
        const show = createHistoryItems(world, undoneIn(timeline.items), brief === "1");
        const { items, until } = yield* pageOf(asked, limit, maxima.pageBytes, show);
        return { items, total: all.length, oldestSeq, ...(until && { next: until.seq }) };
      };
      return answerInSlices(steps(), kernel, routes.readTimeline.answers[200]);
    },
    rewind: async ({ world, holder, cause, query, body: { userId, to, before, undo, clock = "keep", ...body } }) => {
      if ([to, before, undo].filter((moment) => moment !== undefined).length !== 1)
        return invalid({ to: ["must be given, or `before` or `undo`, only one of them"] });
      const { seq } = store.world;
      const isTrial = query.dryRun === "1";
      const undoable = async (rule: Rule, appId: string | null, order: object) => {
        const { value, told } = await transactUndoable(store, rule, cause, isTrial);
        const done = isTrial ? { seq: store.world.seq, changed: value } : await publish(seq, appId, order, value);
        return ok({ ...done, ...told });
      };
      if (to !== undefined && to > seq) return invalid({ to: [`must be at most ${seq}, the newest change`] });
      if (undo !== undefined) {
        if (userId !== undefined || clock !== "keep")
          return invalid({ undo: ["undoes the whole change: `userId` and `clock` cannot be given"] });
        const { appId } = body;
        return await undoable(undoOf(knownTo(holder), undo, appId), appId ?? null, { undo });
      }
      // A deleted app can be named too.
      const named = () => (before ? appOfRequest(before) : appOfBody(world, userId ? { userId } : {}).app.appId);
      const appId = body.appId ?? named();
      if (world.app(appId) === undefined && !store.history.items.some(({ appIds }) => appIds.includes(appId)))
        appOfBody(world, { appId });
      const moment = before === undefined ? { to: to ?? seq } : beforeRequest(before, appId);
      const order = { appId, userId, turnsClock: clock === "then", ...moment };
      const told = { userId: userId ?? null, to: order.to };
      return await undoable(rewindTo(historyOf(appId), order, env.realNow()), appId, told);
    },
    markApp: ({ world, body }) => ok({ seq: appOfBody(world, body) && world.seq }),
  };
};
