/** The document: everything that the store keeps, as held by lowdb and as written to `stagedoor.json`. */
import { z } from "zod";
import { type FixtureSource, fixtureSource } from "#contract/control/fixture-source.ts";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { type AppRecord, appRecord, type ClockRecord, clockRecord } from "#contract/service/records.ts";
import { REAL_CLOCK } from "#domain/clock.ts";
import { copyOfData } from "#domain/history/copy.ts";

/** The document version that this program writes. */
export const DOCUMENT_VERSION = 1;

/** An app and its records. Each list ascends strictly by `seq`; records are replaced, never mutated. */
export type AppDocument = ReturnType<typeof copyOfData>;

/** The whole document. */
export interface StoreDocument {
  version: typeof DOCUMENT_VERSION;
  /** The number of the last change in it. */
  seq: number;
  /** The generation of the first journal that is not in it. */
  generation: number;
  /** The oldest signing key (D29), a private JWK; never exported or logged. */
  key: JsonObject;
  /** The other signing keys, oldest first; as secret as `key`. */
  keys: readonly JsonObject[];
  /** The global clock. */
  clock: ClockRecord;
  /** The fixture files that the data was created from. */
  fixtures: readonly FixtureSource[];
  apps: AppDocument[];
}

const jsonObject = z.custom<JsonObject>(isJsonObject, "must be an object");
/** Like `z.array(z.unknown())`, which would copy the list and look at each of its records. */
const list = z.custom<readonly unknown[]>(Array.isArray, {
  error: ({ input }) => z.array(z.unknown()).safeParse(input).error?.issues[0]?.message,
});

/** The document except its records, which have a faster check (`check.ts`). */
export const documentFrame = z.object({
  version: z.literal(DOCUMENT_VERSION),
  seq: z.int().min(0),
  generation: z.int().min(1),
  key: jsonObject,
  keys: z.array(jsonObject).default([]),
  clock: clockRecord,
  fixtures: z.array(fixtureSource),
  apps: z.array(
    z.object({
      // A copied app has a duplicate `seq` or none, and gets a new one.
      app: appRecord.extend({ seq: z.int().min(1).optional() }),
      clock: clockRecord.nullable(),
      profiles: list,
      passcodes: list,
      sessions: list,
      connections: list,
    }),
  ),
});

/** @returns an app without records. */
export const emptyApp = (app: AppRecord): AppDocument => ({
  app,
  clock: null,
  profiles: [],
  passcodes: [],
  sessions: [],
  connections: [],
});

/** @returns an empty document. */
export const emptyDocument = (key: JsonObject, fixtures: readonly FixtureSource[]): StoreDocument => ({
  version: DOCUMENT_VERSION,
  seq: 0,
  generation: 1,
  key,
  keys: [],
  clock: REAL_CLOCK,
  fixtures,
  apps: [],
});

/** Replaces the signing keys. @throws Error without any. */
export const setKeys = (document: StoreDocument, [key, ...keys]: readonly JsonObject[]): void => {
  if (key === undefined) throw new Error("A document has at least one signing key.");
  document.key = key;
  document.keys = keys;
};

/** @returns a document with copied lists of the same records, unaffected by later changes. */
export const copyOf = (document: StoreDocument): StoreDocument => ({
  ...document,
  apps: document.apps.map(copyOfData),
});

/** @param version from a file. @returns whether a newer program wrote it. */
export const isNewer = (version: unknown): boolean => typeof version === "number" && version > DOCUMENT_VERSION;

/** @param version from a document file. @returns its flaw; undefined if this program can read it. */
export const versionFlaw = (version: unknown): string | undefined => {
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1)
    return `must be ${DOCUMENT_VERSION}, the version of the file's form`;
  if (!isNewer(version)) return undefined;
  return `is ${version}: a newer Stagedoor wrote this, and this one knows version ${DOCUMENT_VERSION}`;
};
