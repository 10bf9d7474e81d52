/** The input and output of steps and handlers. */
import type { Request, Response } from "express";
import type { Check } from "#contract/control/requests.ts";
import type {
  AnswerOf,
  BodyOf,
  KernelOperationId,
  Listener,
  Operation,
  OperationId,
  QueryOf,
  Route,
  StatusOf,
} from "#contract/control/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { Problem } from "#contract/service/problems.ts";
import type { ProfileRecord } from "#contract/service/records.ts";
import type { Decision } from "#domain/decision.ts";
import type { Cause } from "#domain/store.ts";
import type { AppWorld, Env, World } from "#domain/world.ts";
import type { TokenHolder } from "./guards/token-holder.ts";
import type { Exchange } from "./traffic/exchange.ts";

/** Headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** A call on its way through the steps, and their results. */
export interface PendingCall {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly req: Request;
  readonly res: Response;
  readonly exchange: Exchange;
  /** Who calls the console; undefined for the console's own token. */
  readonly holder: TokenHolder | undefined;
  /** The app of the secret, and the profile of the path; for operations with `auth: "secret"`. */
  app?: AppWorld;
  profile?: ProfileRecord;
  /** The request target, and the body, as sent (`{}` if absent); for a token holder with its app. */
  url: string;
  raw: JsonObject;
  /** Query and body, parsed with the operation's schemas. */
  query?: unknown;
  body?: unknown;
  /** Whether a step has awaited, so that other requests may have changed the world. */
  hasWaited: boolean;
}

/** The result of a step: a refusal; `"ended"` if a response was sent or the client left; undefined: the next step. */
export type StepResult = Problem | "ended" | undefined;
/** Sends the responses of one listener. */
export interface Answers {
  /** Sends text or bytes (JSON unless `contentType` is given), or no body if `text` is null. */
  send(res: Response, status: number, text: string | Buffer | null, more?: Headers, contentType?: string): void;
  /** Sends JSON in pieces, as fast as it is read. */
  stream(res: Response, status: number, pieces: Iterable<string>): Promise<void>;
  /** Closes or resets the connection without a response; the row of the request log gets status 0. */
  hangUp(res: Response, how: "drop" | "reset"): void;
  /** Closes the row of a request without an answer, whose connection stays open for what repeats it. */
  withhold(exchange: Exchange): void;
  /** Sends an error: its body, and the reason in a header. */
  refuse(res: Response, problem: Problem): void;
}

/** What a step does. */
export type Run = (pending: PendingCall) => StepResult | Promise<StepResult>;
/** One check of a request, by the name that the request log shows. */
export interface Step {
  readonly check: Check;
  readonly run: Run;
}

/** One validated call of an operation. */
export interface Call<K extends OperationId> extends Pick<PendingCall, "req" | "exchange" | "holder"> {
  readonly world: World;
  readonly env: Env;
  /** Of its transactions, for the timeline. */
  readonly cause: Cause;
  /** Makes a transaction. @returns its value. @throws Refusal if it is refused. */
  readonly change: <T>(rule: (world: World) => Decision<T>) => T;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryOf<K>;
  readonly body: BodyOf<K>;
  readonly app: AppWorld;
  readonly profile: ProfileRecord;
}

type Success<K extends OperationId> = {
  [S in StatusOf<K>]: { readonly status: S; readonly body: AnswerOf<K, S>; readonly headers?: Headers };
}[StatusOf<K>];

interface Text<K extends OperationId> {
  readonly status: StatusOf<K>;
  readonly text: string | Buffer;
  readonly contentType: string;
  readonly headers?: Headers;
}

interface Pieces<K extends OperationId> {
  readonly status: StatusOf<K>;
  readonly pieces: Iterable<string>;
}

/** What a handler answers: a body that is sent as JSON, a text, pieces of JSON, or a problem. */
export type Answer<K extends OperationId> = Success<K> | Text<K> | Pieces<K> | { readonly problem: Problem };

/** Handles one operation, in about ten lines. */
export type Handler<K extends OperationId> = (call: Call<K>) => Answer<K> | Promise<Answer<K>>;

/** The operations of one listener. */
export type OperationsOf<L extends Listener> = {
  [K in OperationId]: Route<K>["listener"] extends L ? K : never;
}[OperationId];

/** The handlers that the kernel has of a listener: without those of features. */
export type KernelHandlers<L extends Listener> = {
  readonly [K in Exclude<OperationsOf<L>, "streamEvents"> & KernelOperationId]: Handler<K>;
};

/** All handlers of a listener; the compiler reports a missing one. The event stream is a step, not a handler. */
export type Handlers<L extends Listener> = { readonly [K in Exclude<OperationsOf<L>, "streamEvents">]: Handler<K> };
