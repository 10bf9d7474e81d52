/** What a probe is, and what the probes of one run share. */
import type { Lab } from "./lab.ts";
import { type Observation, Unobservable } from "./observation.ts";

/** What the probes of a run share. */
export interface Bench {
  readonly lab: Lab;
  /** The user whose codes and wrong tries are allowed; null: nobody's. */
  readonly username: string | null;
  /** Reads the newest code that was sent to the user, once it has come; null: nobody can. */
  readonly readCode: (() => Promise<string>) | null;
}

/** What is asked at one decision. */
export interface Probe {
  readonly decision: string;
  /** The setting that follows the service; null: there is none. */
  readonly setting: string | null;
  /** A few words; the report and `--dry-run` show them. */
  readonly question: string;
  /** @throws Unobservable if it cannot be seen. */
  readonly run: (bench: Bench) => Promise<Observation>;
}

/** @returns whether the service has taken a request. @throws Unobservable if it neither took nor refused it. */
export const isTaken = ({ status }: { readonly status: number }, what: string): boolean => {
  if (status >= 200 && status < 300) return true;
  if ([400, 409, 422].includes(status)) return false;
  throw new Unobservable(`${what}: status ${status}`);
};
