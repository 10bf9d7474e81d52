/**
 * Signals to `stagedoor exec`. Before and after its command they end it at once; while the command runs they are the
 * command's, which is killed if it does not end.
 */
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const;
/** That `exec` passes on without expecting an end. */
const PASSED_ON: readonly string[] = ["SIGUSR2"];
/** That a terminal sends to the command itself: passed on, they would arrive twice. */
const OF_TERMINAL: readonly string[] = ["SIGINT", "SIGQUIT"];
/** How long the command, or else the end of `exec`, may take after a signal; milliseconds. */
const GRACE_MS = 5_000;
/** One ^C can arrive twice, for example from the terminal and forwarded by npm; milliseconds. */
const ECHO_MS = 100;

/** A signal ended `exec` while it started or closed. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  /** As a shell reports it: 128 plus its number. */
  readonly exitStatus: number;

  constructor(signal: NodeJS.Signals) {
    super(`ended by ${signal}`);
    this.exitStatus = 128 + constants.signals[signal];
  }
}

/** What the signals need of a process. */
interface Target {
  kill(signal: NodeJS.Signals): unknown;
}

/** What they need of this process; tests replace it. */
export interface SignalHost {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  /** Ends this process at once. */
  exit(status: number): void;
  readonly isTerminal: boolean;
  /** Monotonic milliseconds. */
  now(): number;
  /** Runs a function after so many milliseconds. @returns cancels it. */
  later(run: () => void, ms: number): () => void;
}

/** @returns this process. */
export const thisProcess = (): SignalHost => ({
  on: (signal, listener) => process.on(signal, listener),
  off: (signal, listener) => process.off(signal, listener),
  exit: (status) => process.exit(status),
  isTerminal: process.stdin.isTTY,
  now: () => performance.now(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
});

/** Catches signals until `release`. */
export class ExecSignals {
  readonly #host: SignalHost;
  #child: Target | undefined;
  #first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined;
  #interrupt: (reason: Interrupted) => void = () => undefined;
  readonly #interrupted: Promise<never>;
  readonly #stopped = new AbortController();
  #cancelKill: () => void = () => undefined;

  constructor(host: SignalHost) {
    this.#host = host;
    this.#interrupted = new Promise((_, reject) => {
      this.#interrupt = reject;
    });
    // No one may be waiting when it rejects.
    this.#interrupted.catch(() => undefined);
    for (const signal of SIGNALS) host.on(signal, this.#receive);
  }

  /** Aborted by a signal that ends `exec`. */
  get stopped(): AbortSignal {
    return this.#stopped.signal;
  }

  /** Waits for a step of the start or of the end. @throws Interrupted if a signal comes first. */
  async during<T>(step: Promise<T>): Promise<T> {
    return await Promise.race([step, this.#interrupted]);
  }

  /** Passes signals to the command until it has ended. @returns what `ended` resolves to. */
  async passTo<T>(child: Target, ended: Promise<T>): Promise<T> {
    this.#child = child;
    try {
      return await ended;
    } finally {
      this.#child = undefined;
      this.#first = undefined;
      this.#cancelKill();
    }
  }

  /** Signals act as usual again. */
  release(): void {
    for (const signal of SIGNALS) this.#host.off(signal, this.#receive);
    this.#cancelKill();
  }

  readonly #receive = (signal: NodeJS.Signals): void => {
    const { isTerminal, now, later, exit } = this.#host;
    if (this.#child !== undefined && isTerminal && OF_TERMINAL.includes(signal)) return;
    if (PASSED_ON.includes(signal)) {
      this.#child?.kill(signal);
      return;
    }
    const first = this.#first;
    if (first !== undefined && first.signal === signal && now() - first.at <= ECHO_MS) return;
    this.#first ??= { signal, at: now() };
    const child = this.#child;
    if (child === undefined) {
      const reason = new Interrupted(signal);
      if (first !== undefined) {
        exit(reason.exitStatus);
        return;
      }
      this.#interrupt(reason);
      this.#stopped.abort(reason);
      this.#cancelKill = later(() => exit(reason.exitStatus), GRACE_MS);
    } else if (first === undefined) {
      child.kill(signal);
      this.#cancelKill = later(() => child.kill("SIGKILL"), GRACE_MS);
    } else child.kill("SIGKILL");
  };
}
