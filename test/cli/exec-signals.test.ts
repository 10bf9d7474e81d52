/** CONTRACT 23: what a signal does in each state of `exec`. */
import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { ExecSignals, Interrupted } from "#server/commands/exec-signals.ts";

/** A process whose time stands until it is moved. */
const host = ({ isTerminal = false } = {}) => {
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
const never = new Promise<never>(() => undefined);

test.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)(
  "%s ends a step of the start or of the end, and a second one the process",
  async (signal) => {
    for (const isTerminal of [false, true]) {
      const at = host({ isTerminal });
      const signals = new ExecSignals(at.host);
      const waiting = signals.during(never);
      at.send(signal);
      const error = await waiting.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Interrupted);
      // A step that begins after it ends as well.
      await expect(signals.during(never)).rejects.toThrow(signal);
      at.send(signal, 50);
      expect(at.did).toEqual([]);
      at.send(signal);
      expect(at.did).toEqual([error instanceof Interrupted && error.exitStatus]);
    }
  },
);

test("while the command runs, its signals are passed on; a second one, or five seconds, kill it", async () => {
  for (const more of ["signal", "time"]) {
    const at = host();
    const signals = new ExecSignals(at.host);
    void signals.passTo(at.child, never);
    at.send("SIGTERM");
    at.send("SIGTERM", 50);
    expect(at.did).toEqual(["SIGTERM"]);
    if (more === "signal") at.send("SIGINT");
    else at.runTimer();
    expect(at.did).toEqual(["SIGTERM", "SIGKILL"]);
  }
});

test("a terminal sends ^C to the command itself, which may go on", async () => {
  const at = host({ isTerminal: true });
  void new ExecSignals(at.host).passTo(at.child, never);
  at.send("SIGINT");
  at.send("SIGQUIT");
  at.runTimer();
  expect(at.did).toEqual([]);
  at.send("SIGTERM");
  expect(at.did).toEqual(["SIGTERM"]);
});

test("SIGUSR2 is passed on, and ends nothing", async () => {
  const at = host();
  const signals = new ExecSignals(at.host);
  at.send("SIGUSR2");
  expect(await signals.during(Promise.resolve("on"))).toBe("on");
  void signals.passTo(at.child, never);
  at.send("SIGUSR2");
  at.runTimer();
  expect(at.did).toEqual(["SIGUSR2"]);
});

test("once the command has ended, a signal ends the writing of results; nothing is caught after the end", async () => {
  const at = host();
  const signals = new ExecSignals(at.host);
  const ended = signals.passTo(at.child, Promise.resolve(7));
  at.send("SIGTERM");
  expect(await ended).toBe(7);
  at.runTimer();
  expect(at.did).toEqual(["SIGTERM"]);
  expect(await signals.during(Promise.resolve("written"))).toBe("written");
  const writing = signals.during(never);
  at.send("SIGTERM");
  await expect(writing).rejects.toThrow("SIGTERM");
  expect(at.listeners()).toBe(5);
  signals.release();
  expect(at.listeners()).toBe(0);
});
