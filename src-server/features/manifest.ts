/** What a feature says of itself (docs/internals/features.md). It is read at every start, so it holds data alone, and no code. */
import type { z } from "zod";
import type { PathParameter, Row } from "#contract/control/rows.ts";
import type { JsonObject } from "#contract/scalars.ts";

export interface Manifest {
  readonly title: string;
  /** The page that explains it, below `docs`. */
  readonly page?: string;
  readonly routes?: Readonly<Record<string, Row>>;
  readonly events?: Readonly<Record<string, z.ZodType>>;
  readonly schemas?: Readonly<Record<string, z.ZodType>>;
  /** Types of `stagedoor/client`: schema and description. */
  readonly types?: Readonly<Record<string, readonly [schema: z.ZodType, about: string]>>;
  /** Parameters in the paths of its rows that no other row has. */
  readonly parameters?: Readonly<Record<string, PathParameter>>;
  readonly tags?: Readonly<Record<string, string>>;
  readonly examples?: Readonly<Record<string, JsonObject>>;
}
