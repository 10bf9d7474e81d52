/** Rules for profile metadata (service.md 2.1.1, D3 to D5) that depend on the value alone. */
import { BOUNDS } from "../bounds.ts";
import { isJsonArray, type JsonObject, type JsonValue, textError } from "../scalars.ts";

/** @returns the UTF-8 length of a text in bytes; works without TextEncoder. */
export const utf8Bytes = (text: string): number => {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800 || (unit >= 0xd800 && unit < 0xe000)) bytes += 2;
    else bytes += 3;
  }
  return bytes;
};

const isContainer = (value: JsonValue): value is JsonObject | readonly JsonValue[] =>
  typeof value === "object" && value !== null;

/**
 * Finds what no setting allows: a `__proto__` key, a number that JSON cannot hold, NUL or a lone surrogate in a string.
 * Safe at any depth that the body reader accepts (32). @returns the error; undefined if there is none.
 */
export const unsafeJson = (value: JsonValue): string | undefined => {
  if (typeof value === "string") return textError(value);
  if (typeof value === "number")
    return Number.isFinite(value) ? undefined : "must not contain a number that JSON cannot hold";
  if (!isContainer(value)) return undefined;
  const isList = isJsonArray(value);
  for (const [key, entry] of Object.entries(value)) {
    if (key === "__proto__") return 'must not contain the key "__proto__"';
    const error = (isList ? undefined : textError(key)) ?? unsafeJson(entry);
    if (error !== undefined) return error;
  }
  return undefined;
};

/** @returns whether a value is nested deeper than so many levels. It looks no deeper. */
export const deeperThan = (value: JsonValue, levels: number): boolean => {
  if (!isContainer(value)) return false;
  if (levels === 0) return true;
  const entries = isJsonArray(value) ? value : Object.values(value);
  return entries.some((entry) => deeperThan(entry, levels - 1));
};

/** @returns `room` minus (at most) the JSON length of the value in characters; stops below zero. */
const roomAfter = (value: JsonValue, room: number): number => {
  if (typeof value === "string") return room - value.length;
  if (!isContainer(value)) return room - 1;
  let left = room;
  if (isJsonArray(value)) for (let at = 0; at < value.length && left >= 0; at++) left = roomAfter(value[at] ?? 0, left);
  else
    for (const key of Object.keys(value)) {
      if (left < 0) break;
      left = roomAfter(value[key] ?? 0, left - key.length);
    }
  return left;
};

/**
 * @param sent metadata of any size, before key conversion. @returns whether it exceeds the limit of D5 so far that
 * neither key conversion (which at most halves keys) nor merging can help; cheap.
 */
export const isFarTooLarge = (sent: JsonValue): boolean => roomAfter(sent, 4 * BOUNDS.metadataBytes.most) < 0;

/** The error for metadata over its size limit. */
export const TOO_LARGE = `is too large (at most ${BOUNDS.metadataBytes.most} bytes as JSON)`;

/** @param metadata the merged result. @returns one sentence for each exceeded limit of D5; empty if none. */
export const metadataLimitErrors = (metadata: JsonObject): string[] => {
  const errors: string[] = [];
  if (Object.keys(metadata).length > BOUNDS.metadataKeys.most)
    errors.push(`has too many keys (at most ${BOUNDS.metadataKeys.most})`);
  if (deeperThan(metadata, BOUNDS.metadataDepth.most))
    errors.push(`is nested too deep (at most ${BOUNDS.metadataDepth.most} levels)`);
  const { most } = BOUNDS.metadataBytes;
  if (roomAfter(metadata, most) < 0 || utf8Bytes(JSON.stringify(metadata)) > most) errors.push(TOO_LARGE);
  return errors;
};
