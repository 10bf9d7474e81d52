/** One queue in front of heavy requests: two run at a time, one of each app, in turn; bodies wait on the socket. */
import { BOUNDS } from "#contract/bounds.ts";

interface Ticket {
  /** The app that the request is about; empty: all apps. */
  readonly appId: string;
  /** What is asked, such as an import: an app's kinds take turns, so that none waits for all of another. */
  readonly kind: string;
  /** Whether a token other than the owner's asks. */
  readonly isBound: boolean;
  readonly start: () => void;
}

/** What waits of an app, and when it and its kinds had their last turn. */
interface Line {
  waiting: Ticket[];
  turn: number;
  readonly kinds: Map<string, number>;
}

export class HeavyQueue {
  readonly #running = new Set<Ticket>();
  readonly #lines = new Map<string, Line>();
  #turn = 0;

  /** @param left called with what gives the place up. @returns whether its turn came within 30 s. */
  turn(asked: Omit<Ticket, "start">, left: (giveUp: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#leave(ticket, resolve), BOUNDS.heavyWaitMs.most).unref();
      const start = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const ticket: Ticket = { ...asked, start };
      left(() => {
        clearTimeout(timer);
        this.#leave(ticket, resolve);
        this.#next();
      });
      const line: Line = this.#lines.get(ticket.appId) ?? { waiting: [], turn: 0, kinds: new Map() };
      line.waiting.push(ticket);
      this.#lines.set(ticket.appId, line);
      this.#next();
    });
  }

  #leave(ticket: Ticket, resolve: (isIn: false) => void): void {
    this.#running.delete(ticket);
    const line = this.#lines.get(ticket.appId);
    if (line !== undefined) line.waiting = line.waiting.filter((one) => one !== ticket);
    if (line?.waiting.length === 0) this.#lines.delete(ticket.appId);
    resolve(false);
  }

  /** Tokens of others never take both places, so that the owner does not wait for them. */
  #mayRun({ appId, isBound }: Ticket): boolean {
    const running = [...this.#running];
    if (running.length >= BOUNDS.heavyRequests.most) return false;
    return !running.some((one) => one.appId === appId || (isBound && one.isBound));
  }

  #next(): void {
    for (const line of [...this.#lines.values()].sort((a, b) => a.turn - b.turn)) {
      const { waiting, kinds } = line;
      const turnOf = ({ kind }: Ticket): number => kinds.get(kind) ?? 0;
      const [first] = waiting.toSorted((a, b) => turnOf(a) - turnOf(b));
      if (first === undefined || !this.#mayRun(first)) continue;
      line.turn = ++this.#turn;
      kinds.set(first.kind, line.turn);
      line.waiting = waiting.filter((one) => one !== first);
      this.#running.add(first);
      first.start();
    }
  }
}
