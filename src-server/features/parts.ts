/** What the features add to the tables of the contract. */

import type { z } from "zod";
import type { PathParameter, Row } from "#contract/control/rows.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { FEATURES } from "./manifests.ts";

type Features = typeof FEATURES;
/** What a feature says of itself (docs/internals/features.md). It is read at every start, so it holds data alone, and no code. */
interface Manifest {
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

/** The name of a feature: its folder. */
export type FeatureName = keyof Features;

type Part = keyof Manifest;
type PartOf<N extends FeatureName, P extends Part> = Features[N] extends { readonly [Q in P]: infer T } ? T : never;
/** A | B → A & B; nothing → an object without fields. */
type Both<U> = [U] extends [never]
  ? Record<never, never>
  : (U extends unknown ? (one: U) => void : never) extends (all: infer A) => void
    ? A
    : never;
type AllOf<P extends Part> = Both<{ [N in FeatureName]: PartOf<N, P> }[FeatureName]>;

const MANIFESTS: Readonly<Record<string, Manifest>> = FEATURES;

/** @returns the names of a table. */
export const namesOfTable = <T extends Readonly<Record<string, unknown>>>(table: T) =>
  Object.keys(table) as readonly (keyof T)[];

const merged = <P extends Part>(part: P): AllOf<P> => {
  const all: Record<string, unknown> = {};
  for (const feature of Object.values(MANIFESTS)) Object.assign(all, feature[part]);
  // TypeScript cannot tell that the loop has merged the tables of every feature.
  return all as AllOf<P>;
};

/** Their rows of the operation table. */
export const featureRoutes = merged("routes");
/** Their events. */
export const featureEvents = merged("events");
/** Their named schemas, the types of the client, parameters of paths, tags and examples. */
export const [featureSchemas, featureTypes, featureParameters, featureTags, featureExamples] = [
  merged("schemas"),
  merged("types"),
  merged("parameters"),
  merged("tags"),
  merged("examples"),
];

/** The operations of a feature. */
export type OperationsOfFeature<N extends FeatureName> = [PartOf<N, "routes">] extends [never]
  ? never
  : keyof PartOf<N, "routes">;
/** The operations of all features. */
export type FeatureOperationId = keyof typeof featureRoutes;
