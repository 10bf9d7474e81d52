/**
 * The document: all that the store keeps, as lowdb holds it and as `stagedoor.json` shows it.
 */
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

/** The version of the document that this program writes. */
export const DOCUMENT_VERSION = 1;

/** The kinds of record under an app, in the order of the file. */
export const COLLECTIONS = [
  "profiles",
  "passcodes",
  "sessions",
  "connections",
] as const satisfies readonly Collection[];

/** An app and all that lies under it. The lists ascend strictly by `seq`; records are replaced, never changed. */
export type AppDocument = { app: AppRecord; clock: ClockRecord | null } & { [C in Collection]: RecordsOfApp[C][] };

/** The whole. */
export interface StoreDocument {
  version: typeof DOCUMENT_VERSION;
  /** The number of the last change in it. */
  seq: number;
  /** The number of the first journal that is not in it. */
  generation: number;
  /** The signing key (D29), a private JWK; made at the first start, in no export and no log. */
  readonly key: JsonObject;
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
  clock: { offsetMs: 0, frozenAtMs: null },
  fixtures,
  apps: [],
});

/** @returns the document with lists of its own and the same records: a moment of it that stays. */
export const momentOf = (document: StoreDocument): StoreDocument => ({
  ...document,
  apps: document.apps.map((entry) => ({
    app: entry.app,
    clock: entry.clock,
    profiles: entry.profiles.slice(),
    passcodes: entry.passcodes.slice(),
    sessions: entry.sessions.slice(),
    connections: entry.connections.slice(),
  })),
});
