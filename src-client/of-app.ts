/** Types that several nouns of the client share. */
import type * as R from "./records.ts";

/** Limits a call to one app; absent: all apps, or the default app for a new record. */
export interface OfApp {
  readonly appId?: string | undefined;
}

/** Record counts of an import. */
export type Imported = R.ImportCounts;

/** A created profile; fields given as strings have type string. */
export type Created<I extends R.ProfileInput> = R.Profile & {
  readonly [K in Extract<keyof I, keyof R.Profile>]: I[K] extends string ? string : R.Profile[K];
};
