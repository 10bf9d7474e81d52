/** What a handler is given and what it gives back. */
import type { IncomingMessage } from "node:http";
import type { Request, Response } from "express";
import type { Problem } from "#contract/problems.ts";
import type { ProfileRecord } from "#contract/records.ts";
import type { AnswerOf, BodyOf, Listener, OperationId, QueryOf, Route, StatusOf } from "#contract/routes.ts";
import type { AppWorld, Env, World } from "#domain/world.ts";
import type { Visitor } from "./confinement.ts";
import type { Exchange } from "./traffic/exchange.ts";

/** One call of an operation, checked. */
export interface Call<K extends OperationId> {
  readonly world: World;
  readonly env: Env;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryOf<K>;
  readonly body: BodyOf<K>;
  /** The app of the secret; only operations with `auth: "secret"` may ask for it. */
  readonly app: AppWorld;
  /** The profile of the path, as it is now; only operations with `auth: "secret"` and `:userId` may ask for it. */
  readonly profile: ProfileRecord;
  /** The row of the log. */
  readonly exchange: Exchange;
  readonly req: IncomingMessage;
  /** Who calls the console, if not whoever has its own token. */
  readonly visitor: Visitor | undefined;
}

/** A success: one of the statuses of the table with the body that goes with it. */
type Success<K extends OperationId> = {
  [S in StatusOf<K>]: {
    readonly status: S;
    readonly body: AnswerOf<K, S>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[StatusOf<K>];

/** What a handler gives back: a success, a refusal, or text of its own kind. */
export type Answer<K extends OperationId> =
  | Success<K>
  | { readonly problem: Problem }
  | {
      readonly status: StatusOf<K>;
      readonly text: string | Buffer;
      readonly contentType: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** Answers one operation; about ten lines. */
export type Handler<K extends OperationId> = (call: Call<K>) => Answer<K> | Promise<Answer<K>>;

/** Operations of one listener. */
export type OperationsOf<L extends Listener> = {
  [K in OperationId]: Route<K>["listener"] extends L ? K : never;
}[OperationId];

/** An operation that keeps its connection and writes to it itself. */
type StreamOperation = "streamEvents";

/** All handlers of a listener: a missing one does not compile. */
export type Handlers<L extends Listener> = { readonly [K in Exclude<OperationsOf<L>, StreamOperation>]: Handler<K> };

/** Answers a stream. @returns a refusal instead, if it does not. */
export type Stream = (req: Request, res: Response, exchange: Exchange) => Problem | undefined;
