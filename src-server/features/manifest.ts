/** What a feature says of itself (docs/internals/features.md). It is read at every start, so it holds data alone, and no code. */
import type { z } from "zod";
import type { Row } from "#contract/rows.ts";
import type { JsonObject } from "#contract/scalars.ts";

/**
 * What becomes of a state. `stays`: as it is. `begins`: returns to its beginning. `returns`: to what it was then. `total`:
 * leaves the app, and counts in the total of all apps. `kept`: is in the data, and so is still there. `none`: is no part.
 */
type Fate = "stays" | "begins" | "returns" | "total" | "kept" | "none";

/** One state that a feature has beside the data, and what happens to it. */
export interface StateRow {
  /** What it is, as the documentation says it. */
  readonly what: string;
  /** What it begins with. */
  readonly begins: string;
  /** A reset of all apps, or of its app. */
  readonly reset: Extract<Fate, "stays" | "begins">;
  /** A new start on the same data. */
  readonly restart: Extract<Fate, "begins" | "kept">;
  /** The restore of a snapshot. */
  readonly snapshot: Extract<Fate, "stays" | "returns">;
  /** An export, and its import. */
  readonly export: Extract<Fate, "kept" | "none">;
  /** The deletion of its app, or the end of its lease. */
  readonly end: Extract<Fate, "begins" | "total" | "stays">;
  /** Why, where that is not plain. */
  readonly why?: string;
}

/** @see the file */
export interface Manifest {
  /** What it is for, in a few words. */
  readonly title: string;
  /** The page that explains it, below `docs`. */
  readonly page?: string;
  /** Rows of the operation table. */
  readonly routes?: Readonly<Record<string, Row>>;
  /** Events, and the schemas of their items. */
  readonly events?: Readonly<Record<string, z.ZodType>>;
  /** Named schemas of the OpenAPI documents. */
  readonly schemas?: Readonly<Record<string, z.ZodType>>;
  /** Types of `stagedoor/client`: schema and description. */
  readonly types?: Readonly<Record<string, readonly [schema: z.ZodType, about: string]>>;
  /** Parameters in the paths of its rows that no other row has. */
  readonly parameters?: Readonly<Record<string, { readonly schema: z.ZodType; readonly description: string }>>;
  /** What the tags of its operations stand for. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Example bodies by operation, for the documents. */
  readonly examples?: Readonly<Record<string, JsonObject>>;
  /** Its states beside the data. */
  readonly state?: Readonly<Record<string, StateRow>>;
}
