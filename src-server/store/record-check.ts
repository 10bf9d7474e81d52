/**
 * The check of one record, in two steps: a quick look that nearly every record passes (100,000 of them in some tens of
 * milliseconds), and zod for the others, which mends what it may and says in words what is wrong.
 */
import { z } from "zod";
import {
  type Collection,
  type ConnectionRecord,
  connectionRecord,
  type PasscodeRecord,
  type ProfileRecord,
  passcodeRecord,
  passcodeState,
  profileRecord,
  type RecordsOfApp,
  type SessionRecord,
  sessionRecord,
} from "#contract/records.ts";
import type { Fault } from "./failure.ts";

type Fields<R> = { readonly [K in keyof R]?: unknown };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** The very expression that zod's own check uses. */
const INSTANT = z.regexes.datetime({ precision: 3 });
const STATES: ReadonlySet<unknown> = new Set(passcodeState.options);

const isId = (value: unknown): boolean => typeof value === "string" && UUID.test(value);
const isText = (value: unknown): boolean => typeof value === "string";
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string";
const isInstant = (value: unknown): boolean => typeof value === "string" && INSTANT.test(value);
const isNumber = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;
const isObjectOrNull = (value: unknown): boolean => typeof value === "object" && !Array.isArray(value);

const isProfile = (value: Fields<ProfileRecord>): value is ProfileRecord =>
  isId(value.userId) &&
  isNumber(value.seq) &&
  isTextOrNull(value.name) &&
  isTextOrNull(value.phone) &&
  isTextOrNull(value.email) &&
  isObjectOrNull(value.metadata) &&
  isInstant(value.createdAt) &&
  isInstant(value.updatedAt) &&
  (value.testPasscode === undefined || isText(value.testPasscode));

const isPasscode = (value: Fields<PasscodeRecord>): value is PasscodeRecord =>
  isId(value.id) &&
  isNumber(value.seq) &&
  isId(value.userId) &&
  (value.channel === "sms" || value.channel === "email") &&
  isText(value.to) &&
  isText(value.code) &&
  isText(value.message) &&
  STATES.has(value.state) &&
  (value.delivery === "sent" || value.delivery === "failed") &&
  Number.isSafeInteger(value.attempts) &&
  Number(value.attempts) >= 0 &&
  Array.isArray(value.tried) &&
  value.tried.every(isText) &&
  isTextOrNull(value.requestId) &&
  isInstant(value.createdAt) &&
  isInstant(value.expiresAt);

const isSession = (value: Fields<SessionRecord>): value is SessionRecord =>
  isId(value.id) &&
  isNumber(value.seq) &&
  isId(value.userId) &&
  isInstant(value.createdAt) &&
  isInstant(value.expiresAt) &&
  (value.revokedAt === null || isInstant(value.revokedAt)) &&
  isTextOrNull(value.device) &&
  isTextOrNull(value.requestId) &&
  isText(value.issuer) &&
  isText(value.audience);

const isConnection = (value: Fields<ConnectionRecord>): value is ConnectionRecord =>
  isId(value.id) &&
  isNumber(value.seq) &&
  isId(value.userId) &&
  isText(value.name) &&
  typeof value.managed === "boolean" &&
  (value.status === "connected" || value.status === "disabled") &&
  isInstant(value.createdAt) &&
  (value.disabledAt === null || isInstant(value.disabledAt));

/** How the records of one list are checked. */
export interface RecordCheck<R> {
  /** The quick look: true means that zod would pass it too. */
  readonly quick: (value: unknown) => value is R;
  readonly schema: z.ZodType<R>;
}

const check = <R extends object>(
  quick: (value: Fields<R>) => value is Fields<R> & R,
  schema: z.ZodType<R>,
): RecordCheck<R> => ({
  quick: (value): value is R => typeof value === "object" && value !== null && quick(value),
  schema,
});

/** The checks, by the name of the list. */
export const recordChecks: { readonly [C in Collection]: RecordCheck<RecordsOfApp[C]> } = {
  profiles: check(isProfile, profileRecord),
  passcodes: check(isPasscode, passcodeRecord),
  sessions: check(isSession, sessionRecord),
  connections: check(isConnection, connectionRecord),
};

/** @param value a record as it was read. @returns it as an object, its ids in small letters (D13), else undefined. */
const withSmallIds = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields: Record<string, unknown> = { ...value };
  for (const name of ["id", "userId"]) {
    const id = fields[name];
    if (typeof id === "string") fields[name] = id.toLowerCase();
  }
  return fields;
};

/**
 * @param value a record that the quick look did not pass: someone has edited it.
 * @param seq the number that it gets if it has none.
 * @returns the record with its ids in small letters, or what is wrong with it and where.
 */
export const mendRecord = <R>(check: RecordCheck<R>, value: unknown, seq: number): { record: R } | { fault: Fault } => {
  const fields = withSmallIds(value);
  const parsed = check.schema.safeParse(fields === undefined ? value : { ...fields, seq: fields.seq ?? seq });
  return parsed.success ? { record: parsed.data } : { fault: zodFault(parsed.error) };
};

/** @returns the first of zod's issues. */
export const zodFault = (error: z.ZodError): Fault => {
  const issue = error.issues[0];
  return {
    path: issue?.path.map((step) => (typeof step === "number" ? step : String(step))) ?? [],
    message: issue?.message ?? "is not as it should be",
  };
};
