/** The document: all that the store keeps, as lowdb holds it and as `stagedoor.json` shows it. */
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

/** The version of the document that this program writes. */
export const DOCUMENT_VERSION = 1;

/** The records of an app. The lists ascend strictly by `seq`; records are replaced, never changed. */
export type RecordLists = { [C in Collection]: RecordsOfApp[C][] };

/** An app and all that lies under it. */
export type AppDocument = { app: AppRecord; clock: ClockRecord | null } & RecordLists;

/** The whole. */
export interface StoreDocument {
  version: typeof DOCUMENT_VERSION;
  /** The number of the last change in it. */
  seq: number;
  /** The number of the first journal that is not in it. */
  generation: number;
  /** The signing key (D29), a private JWK; made at the first start, in no export and no log. */
  readonly key: JsonObject;
  /** Signing keys of other algorithms, made when they were first needed (CONTRACT 11); treated as `key` is. */
  keys: readonly JsonObject[];
  /** The clock of all apps that have none of their own. */
  clock: ClockRecord;
  /** The fixture files that the data directory was started from. */
  fixtures: readonly string[];
  apps: AppDocument[];
}

const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be an object",
);
const list = z.array(z.unknown());

/** The document without the checks of its records, which are many and have a quicker way (`check.ts`). */
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
      // A copied app has a copied seq or none: it gets a new one.
      app: appRecord.extend({ seq: z.int().min(1).optional() }),
      clock: clockRecord.nullable(),
      profiles: list,
      passcodes: list,
      sessions: list,
      connections: list,
    }),
  ),
});

/** @returns a document that holds nothing yet. */
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

/** @returns the document with lists of its own and the same records: it stays as it is. */
export const copyOf = (document: StoreDocument): StoreDocument => ({ ...document, apps: document.apps.map(copyOfApp) });

/** @param version of a file. @returns whether a newer program wrote it. */
export const isNewer = (version: unknown): boolean => typeof version === "number" && version > DOCUMENT_VERSION;

/** @param version of a file. @returns what is wrong with it, or undefined if this program reads it. */
const versionFlaw = (version: unknown): string | undefined => {
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) {
    return `must be ${DOCUMENT_VERSION}, the version of the file's form`;
  }
  if (version <= DOCUMENT_VERSION) return undefined;
  return `is ${version}: a newer Stagedoor wrote this, and this one knows version ${DOCUMENT_VERSION}`;
};

/**
 * @param value a document file as JSON.parse gave it.
 * @returns it in the form of this version, or the flaw. There has been one version only, so that nothing is changed yet.
 */
export const migrate = (value: unknown): { readonly value: object } | { readonly flaw: Flaw } => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { flaw: { path: [], message: "holds no JSON object" } };
  }
  const message = versionFlaw("version" in value ? value.version : undefined);
  return message === undefined ? { value } : { flaw: { path: ["version"], message } };
};
