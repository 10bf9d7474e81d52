/** What a signal does in each state of `exec`. */
import { expect, test } from "vitest";
import { ExecSignals, Interrupted } from "#server/commands/exec-signals.ts";
import { signalHost } from "./exec-support.ts";

const never = new Promise<never>(() => undefined);

test.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)(
  "%s ends a step of the start or of the end, and a second one, or five seconds, the process",
  async (signal) => {
    for (const isTerminal of [false, true]) {
      const at = signalHost({ isTerminal });
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
      at.runTimer();
      const status = error instanceof Interrupted && error.exitStatus;
      expect(at.did).toEqual([status, status]);
      expect(signals.stopped.aborted).toBe(true);
    }
  },
);

test("while the command runs, its signals are passed on; a second one, or five seconds, kill it", async () => {
  for (const more of ["signal", "time"]) {
    const at = signalHost();
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
  const at = signalHost({ isTerminal: true });
  void new ExecSignals(at.host).passTo(at.child, never);
  at.send("SIGINT");
  at.send("SIGQUIT");
  at.runTimer();
  expect(at.did).toEqual([]);
  at.send("SIGTERM");
  expect(at.did).toEqual(["SIGTERM"]);
});

test("SIGUSR2 is passed on, and ends nothing", async () => {
  const at = signalHost();
  const signals = new ExecSignals(at.host);
  at.send("SIGUSR2");
  expect(await signals.during(Promise.resolve("on"))).toBe("on");
  void signals.passTo(at.child, never);
  at.send("SIGUSR2");
  at.runTimer();
  expect(at.did).toEqual(["SIGUSR2"]);
});

test("once the command has ended, a signal ends the writing of results; nothing is caught after the end", async () => {
  const at = signalHost();
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
