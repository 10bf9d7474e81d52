/** The steps of a login, the requests to admin and auth of a run; and which failures of them an exploration tries. */
import type { RequestRow } from "#client/index.ts";
import { KIND_NAMES, type Kind } from "#contract/documents/explorations.ts";
import type { FaultEffect, FaultInput } from "#contract/service/faults.ts";

interface KindRow {
  readonly effect: FaultEffect;
  /** Whether only a POST that sends a code can have it. */
  readonly needsCode?: true;
}

/** What can happen to a request of a login, as a fault that is set for it. */
const KINDS: Readonly<Record<Kind, KindRow>> = {
  unreached: { effect: { drop: true } },
  lost: { effect: { drop: true, after: true } },
  "503": { effect: { status: 503 } },
  "504": { effect: { status: 504, after: true } },
  late: { effect: { delayMs: 3_000, after: true } },
  twice: { effect: { twice: true } },
  nocode: { effect: { undelivered: true }, needsCode: true },
  latecode: { effect: { deliverAfterMs: 15_000 }, needsCode: true },
  // Changes nothing: the newer code is sent once the first has been read.
  twocodes: { effect: { delayMs: 0 }, needsCode: true },
} satisfies Readonly<Record<Kind, KindRow>>;

/** The most telling first, for a limited time. */
const TELLING: readonly Kind[] = ["lost", "504", "twice", "unreached"];

/** @returns the rank of a kind among the most telling ones, 0 for the first. */
const rankOf = (kind: Kind): number => (TELLING.includes(kind) ? TELLING.indexOf(kind) : TELLING.length);

/** @returns whether a text is the name of a kind. */
export const isKind = (text: string): text is Kind => KIND_NAMES.some((name) => name === text);

/** A step, such as `PUT session #1`. */
export interface LoginStep {
  readonly name: string;
  readonly listener: "admin" | "auth";
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path that a fault matches. */
  readonly path: string;
  /** Which request of this operation, from 1. */
  readonly number: number;
}

/** A failure to try. */
export interface Failure {
  readonly step: LoginStep;
  readonly kind: Kind;
}

/** A step of a run without a failure. */
export interface SeenStep extends LoginStep {
  readonly sendsCode: boolean;
}

const OPERATIONS = {
  session: { listener: "auth", path: "/v1/users/session" },
  profiles: { listener: "admin", path: "/v1/profiles" },
  profile: { listener: "admin", path: "/v1/profiles/*" },
} as const;
type Noun = keyof typeof OPERATIONS;
const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

const nounOf = (path: string): Noun | undefined => {
  const [plain = ""] = path.replace(/\/(?=\?|$)/, "").split("?");
  if (plain === OPERATIONS.session.path) return "session";
  if (plain === OPERATIONS.profiles.path) return "profiles";
  return plain.startsWith("/v1/profiles/") ? "profile" : undefined;
};

const methodOf = (text: string): LoginStep["method"] | undefined =>
  METHODS.find((one) => one === text.replace("HEAD", "GET"));

/** The checks before a fault takes effect: such a request meets none. */
const isBefore = ({ listener, check }: RequestRow): boolean =>
  listener === "admin" ? ["secret", "profile", "body", "fields"].includes(check ?? "") : check === "body";

/** @param text such as `PUT session #1`. @returns the step; undefined if it is none. */
export const stepNamed = (text: string): LoginStep | undefined => {
  const [, verb = "", noun = "", number = ""] = /^([A-Z]+) ([a-z]+) #([1-9]\d{0,3})$/.exec(text) ?? [];
  const method = methodOf(verb);
  const of = noun === "session" || noun === "profiles" || noun === "profile" ? OPERATIONS[noun] : undefined;
  return method && of && { name: text, method, ...of, number: Number(number) };
};

/**
 * @param rows of a run, oldest first. @param isEvery all requests; otherwise the first of each operation and outcome.
 * @returns its steps.
 */
export const stepsOf = (rows: readonly RequestRow[], isEvery: boolean): readonly SeenStep[] => {
  const counts = new Map<string, number>();
  const outcomes = new Set<string>();
  const steps: SeenStep[] = [];
  for (const row of rows) {
    const noun = nounOf(row.path);
    const method = methodOf(row.method);
    if (noun === undefined || method === undefined || OPERATIONS[noun].listener !== row.listener || isBefore(row))
      continue;
    const operation = `${method} ${noun}`;
    const number = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, number);
    const outcome = `${operation} ${row.status} ${row.reason}`;
    if (!isEvery && outcomes.has(outcome)) continue;
    outcomes.add(outcome);
    const sendsCode = operation === "POST session" && row.status === 202;
    steps.push({ name: `${operation} #${number}`, method, ...OPERATIONS[noun], number, sendsCode });
  }
  return steps;
};

/** @returns the kinds that a step can have, of those wanted. */
const kindsOf = ({ sendsCode }: SeenStep, wanted: readonly Kind[]): readonly Kind[] =>
  KIND_NAMES.filter((kind) => wanted.includes(kind) && (KINDS[kind].needsCode !== true || sendsCode));

/** @returns the faults to set, in order: the requests of the operation before the step meet one that changes nothing. */
export const faultsFor = ({ listener, method, path, number }: LoginStep, kind: Kind): readonly FaultInput[] => {
  const match = { listener, method, path };
  const before: FaultInput[] = number === 1 ? [] : [{ match, effect: { delayMs: 0 }, times: number - 1 }];
  return [...before, { match, effect: KINDS[kind].effect, times: 1 }];
};

/** What a run costs next to the program itself, in milliseconds: a start and a stop of Stagedoor. */
const BESIDE_MS = 400;

/** @returns each step with each kind that it can have, in the order of the matrix. */
export const failuresOf = (steps: readonly SeenStep[], wanted: readonly Kind[]): readonly Failure[] =>
  steps.flatMap((step) => kindsOf(step, wanted).map((kind) => ({ step, kind })));

const waitOf = (kind: Kind): number => {
  const { delayMs = 0, deliverAfterMs = 0 } = KINDS[kind].effect;
  return typeof delayMs === "number" && typeof deliverAfterMs === "number" ? delayMs + deliverAfterMs : 0;
};

/** @returns how long these runs take, in milliseconds. @param eachMs what the program takes without a failure. */
export const durationOf = (runs: readonly Failure[], eachMs: number, jobs: number): number =>
  runs.reduce((ms, { kind }) => ms + eachMs + BESIDE_MS + waitOf(kind), 0) / Math.min(jobs, Math.max(1, runs.length));

/** @returns as many as fit, the most telling first. @param mostMs absent: no limit. */
export const fitting = (
  all: readonly Failure[],
  eachMs: number,
  jobs: number,
  mostMs: number | undefined,
): readonly Failure[] => {
  if (mostMs === undefined) return all;
  const count = Math.max(1, Math.floor(mostMs / (eachMs + BESIDE_MS)) * jobs);
  return all.length <= count ? all : all.toSorted((a, b) => rankOf(a.kind) - rankOf(b.kind)).slice(0, count);
};
