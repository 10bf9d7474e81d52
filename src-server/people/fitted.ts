/** Metadata of imported users, as far as the limits allow (D5). */
import { BOUNDS } from "#contract/bounds.ts";
import type { JsonDraft } from "#contract/scalars.ts";
import { metadataLimitErrors } from "#contract/service/metadata.ts";

/**
 * Deletes from metadata what does not fit (D5).
 * @param spare the keys that may go: the last first, then those that are too deep or the largest. @returns whether any did.
 */
export const fitted = (metadata: JsonDraft, spare: readonly string[]): boolean => {
  let isCut = false;
  const drop = (key: string | undefined): boolean => {
    if (key === undefined) return false;
    delete metadata[key];
    isCut = true;
    return true;
  };
  const left = [...spare];
  // Counted once: to count again for each key that goes would cost the square of a wide table's columns.
  let more = Object.keys(metadata).length - BOUNDS.metadataKeys.most;
  while (more > 0 && left.length > 0) {
    const key = left.pop() ?? "";
    if (Object.hasOwn(metadata, key)) more -= 1;
    drop(key);
  }
  if (metadataLimitErrors(metadata).length === 0) return isCut;
  // Those that are too deep or the largest go first.
  const size = (key: string): number => JSON.stringify(metadata[key]).length;
  for (const key of left) if (metadataLimitErrors({ [key]: metadata[key] ?? null }).length > 0) drop(key);
  const bySize = left.filter((key) => Object.hasOwn(metadata, key)).sort((a, b) => size(a) - size(b));
  while (metadataLimitErrors(metadata).length > 0 && drop(bySize.pop()));
  return isCut;
};

/** @param whose such as `3 rows`. @returns the notice. */
export const cutWords = (whose: string): string =>
  `Metadata of ${whose} is cut to ${BOUNDS.metadataKeys.most} keys and ${BOUNDS.metadataBytes.most / 1_024} KiB.`;
