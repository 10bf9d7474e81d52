/** The input and output of handlers. */
import type { IncomingMessage } from "node:http";
import type { Request, Response } from "express";
import type { Problem } from "#contract/problems.ts";
import type { ProfileRecord } from "#contract/records.ts";
import type { AnswerOf, BodyOf, Listener, OperationId, QueryOf, Route, StatusOf } from "#contract/routes.ts";
import type { AppWorld, Env, World } from "#domain/world.ts";
import type { Visitor } from "./confinement.ts";
import type { Exchange } from "./traffic/exchange.ts";

/** One validated call of an operation. */
export interface Call<K extends OperationId> {
  readonly world: World;
  readonly env: Env;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryOf<K>;
  readonly body: BodyOf<K>;
  /** The app of the secret; only for operations with `auth: "secret"`. */
  readonly app: AppWorld;
  /** The current profile of the path; only for operations with `auth: "secret"` and `:userId`. */
  readonly profile: ProfileRecord;
  /** The row of the request log. */
  readonly exchange: Exchange;
  readonly req: IncomingMessage;
  /** Who calls the console; undefined for the console's own token. */
  readonly visitor: Visitor | undefined;
}

/** A success: a status from the table and its body. */
type Success<K extends OperationId> = {
  [S in StatusOf<K>]: {
    readonly status: S;
    readonly body: AnswerOf<K, S>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[StatusOf<K>];

/** The result of a handler: a success, a refusal, or text with its own content type. */
export type Answer<K extends OperationId> =
  | Success<K>
  | { readonly problem: Problem }
  | {
      readonly status: StatusOf<K>;
      readonly text: string | Buffer;
      readonly contentType: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** Handles one operation, in about ten lines. */
export type Handler<K extends OperationId> = (call: Call<K>) => Answer<K> | Promise<Answer<K>>;

/** The operations of one listener. */
export type OperationsOf<L extends Listener> = {
  [K in OperationId]: Route<K>["listener"] extends L ? K : never;
}[OperationId];

/** An operation that keeps its connection open and writes to it. */
type StreamOperation = "streamEvents";

/** All handlers of a listener; the compiler reports a missing one. */
export type Handlers<L extends Listener> = { readonly [K in Exclude<OperationsOf<L>, StreamOperation>]: Handler<K> };

/** Handles a stream. @returns a refusal if it does not. */
export type Stream = (req: Request, res: Response, exchange: Exchange) => Problem | undefined;
