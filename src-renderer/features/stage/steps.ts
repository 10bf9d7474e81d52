/** The steps of a show: what a key does, what *next* does, and how *back* undoes the last step. */

import type { Order } from "#contract/control/stage-bridge.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { cache } from "../../api/cache.ts";
import { emulator, explain } from "../../api/emulator.ts";
import { clockQuery } from "../../api/queries.ts";
import { setClock } from "../../shared/clock/set-clock.ts";
import type { Acts } from "./acts.ts";
import type { StageApp } from "./stage-app.ts";
import { say, useStage } from "./stage-store.ts";
import { words } from "./words.ts";

/** Keys that change only this page: *back* turns them back, without a rewind. */
const TOGGLES = { O: "offline", B: "blurred", Q: "audience", G: "guests" } as const;
const isToggle = (cap: string): cap is keyof typeof TOGGLES => Object.hasOwn(TOGGLES, cap);

/** How long a step waits for its mark, in milliseconds. */
const MARK_MS = 1_000;
const MOST_PAST = 200;

/** A stage before a step. */
interface Moment {
  readonly id: number;
  /** Where the store was; undefined: the step changes nothing there. */
  readonly seq: number | undefined;
  /** The user that the step concerns; undefined: all. */
  readonly userId: string | undefined;
  readonly state: ReturnType<typeof useStage.getState>;
  readonly willFail: boolean;
  readonly offsetSeconds: number;
}

/** @returns the keys of a stage as functions. @param isAway whether the server is unreachable. */
export const showStepsOf = (stage: StageApp, acts: Acts, send: (order: Order) => void, isAway: () => boolean) => {
  const { app, personas } = stage;
  const { appId } = app;
  const { show } = effectiveSettings(app.settings);
  const past: Moment[] = [];
  let ids = 0;
  let turn: Promise<unknown> = Promise.resolve();

  const offset = (): number => cache.getQueryData(clockQuery(appId).queryKey)?.offsetSeconds ?? 0;
  const whom = (cap: string): string | undefined => {
    if (cap === "Space" || cap === "W") return acts.newest()?.userId;
    return personas[Number(cap) - 1]?.userId;
  };

  const run = (cap: string): Promise<string | undefined> | string | undefined => {
    if (isToggle(cap)) return acts.toggle(TOGGLES[cap]);
    if (isAway()) return words().away[0];
    if (cap === "Space") return acts.type();
    if (cap === "W") return acts.typeWrong();
    if (cap === "F") return acts.fail();
    if (cap === "T") return acts.expire();
    return cap === "R" ? acts.reset() : acts.persona(Number(cap) - 1);
  };

  /** The state before a step, which the phone keeps as well. */
  const momentOf = async (cap: string): Promise<Moment> => {
    const [state, willFail, userId, id] = [useStage.getState(), acts.willFail(), whom(cap), ++ids];
    send({ type: "keep", id });
    const needsMark = !isToggle(cap) && cap !== "F" && cap !== "T" && !isAway();
    const client = emulator.withSignal(AbortSignal.timeout(MARK_MS));
    const seq = needsMark ? (await client.mark(appId).catch(() => undefined))?.seq : undefined;
    return { id, seq, userId, state, willFail, offsetSeconds: offset() };
  };

  const follow = (cap: string, at: number): void => {
    if (show[at] === cap) useStage.setState({ at: at + 1 });
    // By hand it starts its part of the show again.
    else if (cap === "R") useStage.setState({ at: show.slice(0, at).lastIndexOf("R") + 1 });
  };

  /** Presses a key of the stage. */
  const press = async (cap: string): Promise<void> => {
    useStage.setState(({ beganAt }) => ({ beganAt: beganAt ?? Date.now() }));
    const before = turn;
    const step = async (): Promise<readonly [Moment, string | undefined]> => {
      // One after the other, but none waits for long for the one before.
      await Promise.race([before, new Promise((resolve) => setTimeout(resolve, MARK_MS))]);
      const moment = await momentOf(cap);
      return [moment, await run(cap)];
    };
    const taken = step();
    turn = taken.catch(() => undefined);
    const [moment, why] = await taken;
    if (why !== undefined) return say(why);
    past.push(moment);
    if (past.length > MOST_PAST) past.shift();
    follow(cap, moment.state.at);
  };

  /** @returns what *next* presses; undefined: the show is over. */
  const upcoming = (): string | undefined => {
    const { at, phone, person } = useStage.getState();
    if (show.length > 0) return show[at];
    if (phone === "asking" || phone === "checking" || phone === "loading") return "Space";
    const isWaiting = (phone === "code" || phone === "wrong") && acts.newest()?.status === "active";
    return isWaiting && acts.newest()?.delivery === "sent" ? "Space" : `${((person + 1) % personas.length) + 1}`;
  };

  const restore = async ({ id, seq, userId, state, willFail, offsetSeconds }: Moment): Promise<void> => {
    const client = emulator.withSignal(AbortSignal.timeout(MARK_MS * 5));
    if (seq !== undefined) await client.rewind({ appId, to: seq, ...(userId === undefined ? {} : { userId }) });
    if (offset() !== offsetSeconds) await setClock(appId, { offsetSeconds });
    if (acts.willFail() !== willFail) await acts.fail();
    const { own, since, blurred, offline, audience, guests, at, person } = state;
    useStage.setState({ own, since, blurred, offline, audience, guests, at, person, said: "" });
    send({ type: "blur", on: blurred });
    send({ type: "offline", on: offline });
    if (seq !== undefined) send({ type: "back", id });
  };

  return {
    press,
    upcoming,
    next: async (): Promise<void> => {
      const cap = upcoming();
      return cap === undefined ? say(words().showIsOver) : await press(cap);
    },
    /** Goes back before the last step. */
    back: async (): Promise<void> => {
      const moment = past.at(-1);
      if (moment === undefined) return say(words().nothingBack);
      if (isAway()) return say(words().away[0]);
      past.pop();
      await restore(moment).catch((error: unknown) => say(explain(error)));
    },
  };
};
