/** The interface of probes, and the state that they share in a run. */
import type { UsernameField } from "#contract/service/strategies.ts";
import type { Lab } from "./lab.ts";
import { type Observation, type Subject, Unobservable } from "./observation.ts";
import type { Reply } from "./service.ts";

/** What earlier probes have found and later ones need; absent: unknown. */
interface Found {
  /** The fields that the service requires for a profile. */
  required?: readonly string[];
  /** The names of the list's parameters, and the largest size of a page. */
  limit?: string;
  page?: string;
  max?: number;
  /** Whether a page beyond the end is empty; otherwise it is refused. */
  isFarEmpty?: boolean;
  overLimit?: "refuse" | "cut";
  firstPage?: 0 | 1;
  /** The status with which a taken phone or email is rejected. */
  takenStatus?: number;
  username?: UsernameField;
  /** The number of digits of a code, and the status with which one signed in. */
  codeLength?: number;
  signedIn?: number;
  /** The response to the sign-up of a new user. */
  signUp?: Reply;
}

/** State shared by the probes of a run. */
export interface Bench {
  readonly lab: Lab;
  readonly found: Found;
  /** The user for whom codes and wrong attempts are allowed; null: none. */
  readonly username: string | null;
  /** Reads the newest code sent to the user, waiting for it; null: not possible. */
  readonly readCode: (() => Promise<string>) | null;
}

/** A question about one decision. */
export interface Probe extends Subject {
  /** @throws Unobservable if it cannot be observed. */
  readonly run: (bench: Bench) => Promise<Observation>;
}

/** @returns a probe. */
export const probe = (
  decision: string,
  setting: string | null,
  question: string,
  run: (bench: Bench) => Promise<Observation>,
): Probe => ({ decision, setting, question, run });

/** @returns whether the service accepted a request. @throws Unobservable if it neither accepted nor rejected it. */
export const isTaken = ({ status }: { readonly status: number }, what: string): boolean => {
  if (status >= 200 && status < 300) return true;
  if ([400, 409, 422].includes(status)) return false;
  throw new Unobservable(`${what}: status ${status}`);
};

/** @param known the values of the setting. @returns a status as its value, or as behaviour that no setting has. */
export const statusSeen = ({ status }: { readonly status: number }, ...known: readonly number[]): Observation =>
  known.includes(status) ? { is: status } : { other: `status ${status}` };
