/** Signals and time for the tests of `exec`. */
import { EventEmitter } from "node:events";

/** A process whose time stands until it is moved. */
export const signalHost = ({ isTerminal = false } = {}) => {
  const events = new EventEmitter();
  const did: unknown[] = [];
  let [now, timer]: [number, (() => void) | undefined] = [0, undefined];
  return {
    did,
    send: (signal: NodeJS.Signals, after = 1_000) => {
      now += after;
      events.emit(signal, signal);
    },
    runTimer: () => timer?.(),
    listeners: () => events.eventNames().length,
    child: { kill: (signal: NodeJS.Signals) => void did.push(signal) },
    host: {
      on: (signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void) => events.on(signal, listener),
      off: (signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void) => events.off(signal, listener),
      exit: (status: number) => void did.push(status),
      isTerminal,
      now: () => now,
      later: (run: () => void) => {
        timer = run;
        return () => {
          timer = undefined;
        };
      },
    },
  };
};
