/**
 * Calls what listens to requests and to changes: the one place that does, so that none of it can break a request, the
 * listener after it, or the process.
 */
import type { ListenerFailure } from "#contract/control/status.ts";

/** So many different failures are remembered; further ones are only counted with the last. */
const MOST = 20;
/** Characters of the text of a failure. */
const MOST_TEXT = 300;

const textOf = (error: unknown): string => String(error instanceof Error ? error.message : error).slice(0, MOST_TEXT);

/** @see the file */
export class Listeners {
  readonly #warn: (line: string) => void;
  /** By who failed and with what. */
  readonly #failures = new Map<string, { -readonly [K in keyof ListenerFailure]: ListenerFailure[K] }>();

  /** @param warn prints a line for the operator. */
  constructor(warn: (line: string) => void) {
    this.#warn = warn;
  }

  /** The failures, each once, oldest first. */
  get failures(): readonly ListenerFailure[] {
    return [...this.#failures.values()];
  }

  /** Calls a listener; what it throws, or what its promise is rejected with, is a warning. @param who what it is for. */
  call(who: string, hear: () => unknown): void {
    void this.wait(who, hear);
  }

  /** Like `call`. @returns once its promise has settled; undefined if it returned none. */
  wait(who: string, hear: () => unknown): Promise<void> | undefined {
    try {
      const heard = hear();
      if (!(heard instanceof Promise)) return undefined;
      return heard.then(
        () => undefined,
        (error: unknown) => this.failed(who, error),
      );
    } catch (error) {
      this.failed(who, error);
      return undefined;
    }
  }

  /** @returns what a function gives; `otherwise` if it throws. */
  value<T>(who: string, give: () => T, otherwise: T): T {
    try {
      return give();
    } catch (error) {
      this.failed(who, error);
      return otherwise;
    }
  }

  /** Notes a failure. It is printed once, with where it happened. */
  readonly failed = (who: string, error: unknown): void => {
    const text = textOf(error);
    const key = `${who}\n${text}`;
    const known =
      this.#failures.get(key) ?? (this.#failures.size < MOST ? undefined : [...this.#failures.values()].at(-1));
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    this.#failures.set(key, { who, text, count: 1 });
    const where = error instanceof Error ? error.stack : text;
    try {
      this.#warn(`${who} failed; requests go on without it. This is a bug in Stagedoor: ${where}`);
    } catch {
      // Whoever prints lines can fail too.
    }
  };
}
