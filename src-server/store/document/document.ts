/** The document: everything that the store keeps, as held by lowdb and as written to `stagedoor.json`. */
import { z } from "zod";
import {
  type AppRecord,
  appRecord,
  type ClockRecord,
  type Collection,
  clockRecord,
  type RecordsOfApp,
} from "#contract/records.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { copyOfApp } from "#domain/history/moment.ts";
import type { Flaw } from "../failure.ts";

/** The document version that this program writes. */
export const DOCUMENT_VERSION = 1;

/** The records of an app. Each list ascends strictly by `seq`; records are replaced, never mutated. */
export type RecordLists = { [C in Collection]: RecordsOfApp[C][] };

/** An app and its records. */
export type AppDocument = { app: AppRecord; clock: ClockRecord | null } & RecordLists;

/** The whole document. */
export interface StoreDocument {
  version: typeof DOCUMENT_VERSION;
  /** The number of the last change in it. */
  seq: number;
  /** The generation of the first journal that is not in it. */
  generation: number;
  /** The signing key (D29), a private JWK created at the first start; never exported or logged. */
  readonly key: JsonObject;
  /** Signing keys of other algorithms, created when first needed (CONTRACT 11); as secret as `key`. */
  keys: readonly JsonObject[];
  /** The global clock. */
  clock: ClockRecord;
  /** The fixture files that the data was created from. */
  fixtures: readonly string[];
  apps: AppDocument[];
}

const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be an object",
);
const list = z.array(z.unknown());

/** The document except its records, which have a faster check (`check.ts`). */
export const documentFrame = z.object({
  version: z.literal(DOCUMENT_VERSION),
  seq: z.int().min(0),
  generation: z.int().min(1),
  key: jsonObject,
  keys: z.array(jsonObject).default([]),
  clock: clockRecord,
  fixtures: z.array(z.string()),
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

/** @returns an empty document. */
export const emptyDocument = (key: JsonObject, fixtures: readonly string[]): StoreDocument => ({
  version: DOCUMENT_VERSION,
  seq: 0,
  generation: 1,
  key,
  keys: [],
  clock: { offsetMs: 0, frozenAtMs: null },
  fixtures,
  apps: [],
});

/** @returns a document with copied lists of the same records, unaffected by later changes. */
export const copyOf = (document: StoreDocument): StoreDocument => ({ ...document, apps: document.apps.map(copyOfApp) });

/** @param version from a file. @returns whether a newer program wrote it. */
export const isNewer = (version: unknown): boolean => typeof version === "number" && version > DOCUMENT_VERSION;

/** @param version from a file. @returns its flaw; undefined if this program can read it. */
const versionFlaw = (version: unknown): string | undefined => {
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) {
    return `must be ${DOCUMENT_VERSION}, the version of the file's form`;
  }
  if (version <= DOCUMENT_VERSION) return undefined;
  return `is ${version}: a newer Stagedoor wrote this, and this one knows version ${DOCUMENT_VERSION}`;
};

/**
 * @param value a document file from JSON.parse.
 * @returns it in the current version, or the flaw. So far there is only one version, so nothing is converted.
 */
export const migrate = (value: unknown): { readonly value: object } | { readonly flaw: Flaw } => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { flaw: { path: [], message: "holds no JSON object" } };
  }
  const message = versionFlaw("version" in value ? value.version : undefined);
  return message === undefined ? { value } : { flaw: { path: ["version"], message } };
};
