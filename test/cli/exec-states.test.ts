/** Every way out of every state of `exec` closes what was opened. */
import { expect, test } from "vitest";
import { ExecSignals } from "#server/commands/exec-signals.ts";
import { type ExecWork, runStates } from "#server/commands/exec-states.ts";
import { signalHost } from "./exec-support.ts";

const STATES = ["look", "start", "prepare", "run", "write"] as const;
type State = (typeof STATES)[number];
const never = new Promise<never>(() => undefined);

/** Work that notes what it did. @param odd what happens in one of its states, instead of an end with status 3. */
const workWith = (state?: State, odd: () => Promise<never> = () => never) => {
  const did: string[] = [];
  const at = <T>(name: State, value: T) => {
    did.push(name);
    return name === state ? odd() : Promise.resolve(value);
  };
  const work: ExecWork<"server", "environment"> = {
    look: async () =>
      await at("look", [async (_, status) => await at("write", status), async (_, status) => status + 1]),
    start: async (stopped) => {
      const starting = at("start", "server" as const);
      return await Promise.race([starting, new Promise<never>((_, fail) => stopped.addEventListener("abort", fail))]);
    },
    prepare: async () => await at("prepare", "environment"),
    run: async () => await at("run", 3),
    close: async () => void did.push("close"),
  };
  return { did, work };
};
/** What has begun by the time that a state ends it all. */
const until = (state: State): string[] => STATES.slice(0, STATES.indexOf(state) + 1);
/** What `start` has opened. */
const closing = (state: State): string[] => (["look", "start"].includes(state) ? [] : ["close"]);

test("goes through its states, and the files written can change the status", async () => {
  const at = signalHost();
  const { did, work } = workWith();
  expect(await runStates(work, new ExecSignals(at.host))).toBe(4);
  expect(did).toEqual([...STATES, "close"]);
  expect(at.listeners()).toBe(0);
});

test.each(STATES)("a failure in %s is thrown once everything is closed", async (state) => {
  const at = signalHost();
  const { did, work } = workWith(state, () => Promise.reject(new Error("no")));
  await expect(runStates(work, new ExecSignals(at.host))).rejects.toThrow("no");
  expect(did).toEqual([...until(state), ...closing(state)]);
  expect(at.listeners()).toBe(0);
});

const BUT_RUN = STATES.filter((state) => state !== "run");
test.each(
  BUT_RUN.flatMap((state) => (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => [signal, state] as const)),
)("%s in %s ends it with 128 plus its number, and everything is closed", async (signal, state) => {
  const at = signalHost();
  const { did, work } = workWith(state);
  const ended = runStates(work, new ExecSignals(at.host));
  await expect.poll(() => did.at(-1)).toBe(state);
  at.send(signal);
  expect(await ended).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
  expect(did).toEqual([...until(state), ...closing(state)]);
  expect(at.listeners()).toBe(0);
  // Nothing is left that would end the process later.
  at.runTimer();
  expect(at.did).toEqual([]);
});

test("an emulator that is up only after the signal is closed as well", async () => {
  const at = signalHost();
  const { did, work } = workWith();
  let up = (_: "server"): void => undefined;
  const start = () => new Promise<"server">((resolve) => (up = resolve));
  const ended = runStates({ ...work, start }, new ExecSignals(at.host));
  await expect.poll(() => did).toEqual(["look"]);
  at.send("SIGTERM");
  up("server");
  expect(await ended).toBe(143);
  expect(did).toEqual(["look", "close"]);
});

test("a close that hangs after a signal is ended by a second one, or after five seconds", async () => {
  for (const more of ["signal", "time"]) {
    const at = signalHost();
    const { did, work } = workWith("prepare");
    const close = async () => {
      did.push("close");
      return await never;
    };
    void runStates({ ...work, close }, new ExecSignals(at.host));
    await expect.poll(() => did.at(-1)).toBe("prepare");
    at.send("SIGTERM");
    await expect.poll(() => did.at(-1)).toBe("close");
    if (more === "signal") at.send("SIGINT");
    else at.runTimer();
    expect(at.did).toEqual([more === "signal" ? 130 : 143]);
  }
});
