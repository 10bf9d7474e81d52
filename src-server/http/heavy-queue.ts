/** One queue in front of heavy requests: two run at a time, one of each app, in turn; bodies wait on the socket. */
import { BOUNDS } from "#contract/bounds.ts";

interface Ticket {
  /** The app that the request is about; empty: all apps. */
  readonly appId: string;
  /** Whether a token other than the owner's asks. */
  readonly isBound: boolean;
  readonly start: () => void;
}

export class HeavyQueue {
  readonly #running = new Set<Ticket>();
  readonly #waiting = new Map<string, Ticket[]>();
  /** When an app that waits had its last turn. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  /** @param left called with what gives the place up. @returns whether its turn came within 30 s. */
  turn(appId: string, isBound: boolean, left: (giveUp: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#leave(ticket, resolve), BOUNDS.heavyWaitMs.most).unref();
      const start = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const ticket: Ticket = { appId, isBound, start };
      left(() => {
        clearTimeout(timer);
        this.#leave(ticket, resolve);
        this.#next();
      });
      const same = this.#waiting.get(appId);
      if (same === undefined) this.#waiting.set(appId, [ticket]);
      else same.push(ticket);
      this.#next();
    });
  }

  #leave(ticket: Ticket, resolve: (isIn: false) => void): void {
    this.#running.delete(ticket);
    const same = this.#waiting.get(ticket.appId)?.filter((one) => one !== ticket) ?? [];
    if (same.length > 0) this.#waiting.set(ticket.appId, same);
    else {
      this.#waiting.delete(ticket.appId);
      this.#turns.delete(ticket.appId);
    }
    resolve(false);
  }

  /** Tokens of others never take both places, so that the owner does not wait for them. */
  #mayRun({ appId, isBound }: Ticket): boolean {
    const running = [...this.#running];
    if (running.length >= BOUNDS.heavyRequests.most) return false;
    return !running.some((one) => one.appId === appId || (isBound && one.isBound));
  }

  #next(): void {
    const turnOf = (appId: string): number => this.#turns.get(appId) ?? 0;
    const inTurn = [...this.#waiting].sort(([a], [b]) => turnOf(a) - turnOf(b));
    for (const [appId, [first, ...others]] of inTurn) {
      if (first === undefined || !this.#mayRun(first)) continue;
      this.#turns.set(appId, ++this.#turn);
      if (others.length > 0) this.#waiting.set(appId, others);
      else this.#waiting.delete(appId);
      this.#running.add(first);
      first.start();
    }
  }
}
