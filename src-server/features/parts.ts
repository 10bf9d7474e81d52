/** What the kits add to the tables of the contract. */

import { frozen } from "#contract/frozen.ts";
import type { Manifest } from "./manifest.ts";
import { KITS } from "./manifests.ts";

type Kits = typeof KITS;
/** The name of a kit: its folder. */
export type KitName = keyof Kits;

/** The parts of a manifest that are tables. */
type Part = "routes" | "events" | "schemas" | "types" | "parameters" | "tags" | "examples";
/** What a kit has in a table. */
type PartOf<N extends KitName, P extends Part> = Kits[N] extends { readonly [Q in P]: infer T } ? T : never;
/** A | B → A & B; nothing → an object without fields. */
type Both<U> = [U] extends [never]
  ? Record<never, never>
  : (U extends unknown ? (one: U) => void : never) extends (all: infer A) => void
    ? A
    : never;
type AllOf<P extends Part> = Both<{ [N in KitName]: PartOf<N, P> }[KitName]>;

const MANIFESTS: Readonly<Record<string, Manifest>> = KITS;

const keysOf = <T extends Readonly<Record<string, unknown>>>(table: T) => Object.keys(table) as readonly (keyof T)[];

const merged = <P extends Part>(part: P): AllOf<P> => {
  const all: Record<string, unknown> = {};
  for (const kit of Object.values(MANIFESTS)) Object.assign(all, kit[part]);
  // TypeScript cannot tell that the loop has merged the tables of every kit.
  return frozen(all as AllOf<P>);
};

/** Their rows of the operation table. */
export const kitRoutes = merged("routes");
/** Their events. */
export const kitEvents = merged("events");
/** The types of their events. */
export const KIT_EVENT_TYPES = frozen(keysOf(kitEvents));
/** Their named schemas, the types of the client, parameters of paths, tags and examples. */
export const [kitSchemas, kitTypes, kitParameters, kitTags, kitExamples] = [
  merged("schemas"),
  merged("types"),
  merged("parameters"),
  merged("tags"),
  merged("examples"),
];

/** The operations of a kit. */
export type OperationsOfKit<N extends KitName> = [PartOf<N, "routes">] extends [never]
  ? never
  : keyof PartOf<N, "routes">;
/** The operations of all kits. */
export type KitOperationId = keyof typeof kitRoutes;

/** @returns the kits, each with its name. */
export const kits = (): readonly (readonly [name: KitName, kit: Manifest])[] =>
  keysOf(KITS).map((name) => [name, KITS[name]]);
