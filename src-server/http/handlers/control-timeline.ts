/** The control API: the timeline, rewinding, marks (CONTRACT 14). */
import { invalid } from "#contract/problems.ts";
import { rewindTo } from "#domain/history/rewind.ts";
import type { Timeline } from "#domain/history/timeline.ts";
import type { Visitor } from "../confinement.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appOfBody, appOfQuery, notFound, ok, settled } from "../select.ts";
import { createTimelineItems, pastOf, sinceCreation } from "../timeline.ts";

/** @returns the handlers of the timeline. */
export const createControlTimelineHandlers = ({ store, log, bus, realNow, seenTimeline }: Deps) => {
  const knownTo = (visitor: Visitor | undefined): Timeline =>
    visitor?.may === "app" ? sinceCreation(store.timeline, visitor.appId) : store.timeline;

  /** @returns the moment right before a request: its number, and real time in ms if the request changed something. */
  const beforeRequest = (id: string, appId: string): { readonly to: number; readonly realMs?: number } => {
    const own = store.timeline.items.find(({ requestId }) => requestId === id);
    if (own?.altered.some((one) => one.appId === appId)) return { to: own.first - 1, realMs: own.realMs };
    const row = log.row(id);
    if (row?.appId !== appId) throw notFound("request", id);
    return { to: row.seq };
  };

  return {
    readTimeline: ({ world, visitor, query: { before, limit, ...scope } }) => {
      if (seenTimeline !== undefined)
        return ok({ items: [...seenTimeline], total: seenTimeline.length, oldestSeq: Number.MAX_SAFE_INTEGER });
      const timeline = knownTo(visitor);
      // A deleted app is in the timeline too.
      const all = pastOf(timeline.items, scope);
      if (all.length === 0) appOfQuery(world, scope);
      const items = all.filter(({ past }) => before === undefined || past.seq < before).slice(0, limit);
      const { oldestSeq } = timeline;
      return ok({ items: items.map(createTimelineItems(world)), total: all.length, oldestSeq });
    },
    rewind: async ({ world, visitor, body: { userId, to, before, clock = "keep", ...body } }) => {
      if ((to === undefined) === (before === undefined))
        return invalid({ to: ["must be given, or `before`, not both"] });
      const { seq } = store.world;
      if (to !== undefined && to > seq) return invalid({ to: [`must be at most ${seq}, the newest change`] });
      // A deleted app can be named too.
      const appId = body.appId ?? log.row(before ?? "")?.appId ?? appOfBody(world, userId ? { userId } : {}).app.appId;
      const moment = before === undefined ? { to: to ?? seq } : beforeRequest(before, appId);
      const order = { appId, userId, turnsClock: clock === "then", ...moment };
      const changed = settled(store.transactBulk(rewindTo(knownTo(visitor), order, realNow())));
      const done = { seq: store.world.seq, changed };
      if (done.seq === seq) return ok(done);
      // After the events of its changes, which wait for the disk.
      const durable = store.durable();
      if (durable !== undefined) await durable;
      bus.publish({ type: "rewind", appId, item: { appId, userId: userId ?? null, to: order.to, ...done } });
      return ok(done);
    },
    markApp: ({ world, body }) => ok({ seq: appOfBody(world, body) && world.seq }),
  } satisfies Partial<Handlers<"console">>;
};
