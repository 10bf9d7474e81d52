/**
 * What a profile's metadata may be (SPEC 2.1.1, D3 to D5): checks that need nothing but the value itself.
 */
import { type JsonObject, type JsonValue, textFault } from "./scalars.ts";

/** Most top-level keys, bytes of UTF-8 JSON and levels of nesting (the metadata itself is the first) of the merged result. */
export const METADATA_LIMITS = { keys: 50, bytes: 16_384, depth: 8 } as const;

/** @returns how many bytes a text is in UTF-8; also where there is no TextEncoder. */
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

const isContainer = (value: JsonValue): value is JsonObject | JsonValue[] =>
  typeof value === "object" && value !== null;

/**
 * What no setting allows: a `__proto__` key, a number that JSON cannot hold, NUL or half a surrogate pair in any string.
 * Safe on any depth that the body reader lets through (32).
 */
export const unsafeJson = (value: JsonValue): string | undefined => {
  if (typeof value === "string") return textFault(value);
  if (typeof value === "number")
    return Number.isFinite(value) ? undefined : "must not contain a number that JSON cannot hold";
  if (!isContainer(value)) return undefined;
  if (Array.isArray(value)) {
    for (const entry of value) {
      const fault = unsafeJson(entry);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (key === "__proto__") return 'must not contain the key "__proto__"';
    const entry = value[key];
    const fault = textFault(key) ?? (entry === undefined ? undefined : unsafeJson(entry));
    if (fault !== undefined) return fault;
  }
  return undefined;
};

const deeperThan = (value: JsonValue, levels: number): boolean => {
  if (!isContainer(value)) return false;
  if (levels === 0) return true;
  const entries = Array.isArray(value) ? value : Object.values(value);
  return entries.some((entry) => deeperThan(entry, levels - 1));
};

/** @param metadata the merged result. @returns what breaks a limit of D5, each as a sentence; empty if nothing. */
export const metadataLimitFaults = (metadata: JsonObject): string[] => {
  const faults: string[] = [];
  if (Object.keys(metadata).length > METADATA_LIMITS.keys)
    faults.push(`has too many keys (at most ${METADATA_LIMITS.keys})`);
  if (deeperThan(metadata, METADATA_LIMITS.depth))
    faults.push(`is nested too deep (at most ${METADATA_LIMITS.depth} levels)`);
  if (utf8Bytes(JSON.stringify(metadata)) > METADATA_LIMITS.bytes) {
    faults.push(`is too large (at most ${METADATA_LIMITS.bytes} bytes as JSON)`);
  }
  return faults;
};
