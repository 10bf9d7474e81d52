/**
 * Time that stands still until it is moved: the store's timers and a disk's delays, without waiting.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Later } from "#store/failure.ts";

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

/** Milliseconds from 0 on. */
export class HandTime {
  now: number;
  #timers: Timer[] = [];

  /** @param now where it begins. */
  constructor(now = 0) {
    this.now = now;
  }

  /** As the store asks for it. */
  readonly later: Later = (ms, action) => {
    const timer = { at: this.now + ms, action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  /** @returns when so much time has been let pass. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.later(ms, resolve));
  }

  /** Lets time pass: what falls due is done in its order, with what follows from it. */
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

  #next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) if (timer.at <= end && timer.at < (first?.at ?? Infinity)) first = timer;
    return first;
  }
}

/** Lets all go on that waits for nothing but its turn. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
};
