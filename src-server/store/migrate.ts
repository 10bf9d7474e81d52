/**
 * Documents of other versions: older ones are brought up to date, newer ones are left alone (CONTRACT 8).
 */
import { DOCUMENT_VERSION } from "./document.ts";
import type { Fault } from "./failure.ts";

/** What to do about a file of a newer version. */
export const NEWER_ADVICE = "Start it with the newer Stagedoor, or choose another directory with --data.";

/** @param version of a file. @returns whether a newer program wrote it. */
export const isNewer = (version: unknown): boolean => typeof version === "number" && version > DOCUMENT_VERSION;

/** @param version of a file. @returns what is wrong with it, or undefined if this program reads it. */
export const versionFault = (version: unknown): string | undefined => {
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) {
    return `must be ${DOCUMENT_VERSION}, the version of the file's form`;
  }
  if (version <= DOCUMENT_VERSION) return undefined;
  return `is ${version}: a newer Stagedoor wrote this, and this one knows version ${DOCUMENT_VERSION}`;
};

/**
 * @param value a snapshot as JSON.parse gave it.
 * @returns it in the form of this version, or the fault. There has been one version only, so that nothing is changed yet.
 */
export const migrate = (value: unknown): { readonly value: object } | { readonly fault: Fault } => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { fault: { path: [], message: "holds no JSON object" } };
  }
  const message = versionFault("version" in value ? value.version : undefined);
  return message === undefined ? { value } : { fault: { path: ["version"], message } };
};
