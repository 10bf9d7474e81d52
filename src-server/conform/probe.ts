/** The interface of probes, and the state that they share in a run. */
import type { Lab } from "./lab.ts";
import { type Observation, Unobservable } from "./observation.ts";

/** State shared by the probes of a run. */
export interface Bench {
  readonly lab: Lab;
  /** The user for whom codes and wrong attempts are allowed; null: none. */
  readonly username: string | null;
  /** Reads the newest code sent to the user, waiting for it; null: not possible. */
  readonly readCode: (() => Promise<string>) | null;
}

/** A question about one decision. */
export interface Probe {
  readonly decision: string;
  /** The setting that reproduces it; null if there is none. */
  readonly setting: string | null;
  /** A few words, for the report and `--dry-run`. */
  readonly question: string;
  /** @throws Unobservable if it cannot be observed. */
  readonly run: (bench: Bench) => Promise<Observation>;
}

/** @returns whether the service accepted a request. @throws Unobservable if it neither accepted nor rejected it. */
export const isTaken = ({ status }: { readonly status: number }, what: string): boolean => {
  if (status >= 200 && status < 300) return true;
  if ([400, 409, 422].includes(status)) return false;
  throw new Unobservable(`${what}: status ${status}`);
};
