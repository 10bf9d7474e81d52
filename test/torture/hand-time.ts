/** Time that stands still until it is moved: the store's timers and a disk's delays, without waiting. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Later } from "#store/failure.ts";

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

/** Milliseconds, starting from 0. */
export class HandTime {
  now: number;
  #timers: Timer[] = [];

  /** @param now the initial time. */
  constructor(now = 0) {
    this.now = now;
  }

  /** Timers as the store needs them. */
  readonly later: Later = (ms, action) => {
    const timer = { at: this.now + ms, action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  /** @returns when this much time has passed. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.later(ms, resolve));
  }

  /** Advances time: runs everything due, in order, with its consequences. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    await settle();
    for (let due = this.#next(end); due !== undefined; due = this.#next(end)) {
      this.now = Math.max(this.now, due.at);
      this.#timers = this.#timers.filter((one) => one !== due);
      due.action();
      await settle();
    }
    this.now = end;
  }

  /** Advances time until something that depends on it has settled. @returns its result. @throws what it throws. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = (): void => {
      isDone = true;
    };
    work.then(done, done);
    while (!isDone) await this.pass(5);
    return await work;
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (timer.at <= end && timer.at < (first?.at ?? Infinity)) first = timer;
    return first;
  }
}

/** Lets everything continue that waits only for its turn. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
};
