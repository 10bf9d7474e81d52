import { useEffect, useState } from "react";

/**
 * The row that the keys are on: the one that last had the focus, or the one that was selected since.
 *
 * @returns the row, if it is known, its id, and what moves the keys to another
 */
export const useCurrentRow = <T extends { readonly id: string }>(
  shown: readonly T[],
  selected: T | undefined,
): { current: T | undefined; currentId: string | null; setCurrentId: (id: string) => void } => {
  const [currentId, setCurrentId] = useState(selected?.id ?? null);
  const selectedId = selected?.id;
  useEffect(() => {
    if (selectedId !== undefined) setCurrentId(selectedId);
  }, [selectedId]);
  const current = shown.find((row) => row.id === currentId) ?? selected;
  return { current, currentId, setCurrentId };
};
