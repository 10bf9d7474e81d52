/** Who calls an open console without its own token. */
import type { Request, Response } from "express";
import type { Operation } from "#contract/control/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { AppItem } from "#contract/service/apps.ts";
import type { Problem } from "#contract/service/problems.ts";
import type { AppRecord } from "#contract/service/records.ts";
import type { World } from "#domain/world.ts";

/** The row of an operation, as far as it says what a token holder may do. */
export type Bounded = Pick<Operation, "bound">;
/** Why a token holder may not do something. */
export interface Refused {
  readonly problem: Problem;
}

/** Somebody without the console's own token. What its methods do not allow, it may not do. */
export interface TokenHolder {
  /** The app that it is held to; undefined: it has none yet. */
  readonly appId: string | undefined;
  /** Called before the body is read. @returns the URL, with its app where none is named. */
  url(operation: Bounded, naming: Pick<Request, "params" | "url">): { readonly url: string } | Refused;
  /** @returns the body, with its app where none is named. */
  body(operation: Bounded, body: JsonObject): { readonly body: JsonObject } | Refused;
  /** @returns what it sees of the world. */
  world(world: World): World;
  /** Called once it has created an app. @returns what it alone is told. */
  made(app: AppRecord): Partial<AppItem>;
}

const isTokenHolder = (value: unknown): value is TokenHolder =>
  typeof value === "object" && value !== null && "appId" in value;

/** @returns who calls the console; undefined means with its own token, so unrestricted. */
export const tokenHolderOf = ({ locals: { holder } }: Response): TokenHolder | undefined =>
  isTokenHolder(holder) ? holder : undefined;
