import { expirePasscode } from "../../api/actions.ts";
import type { Passcode } from "../../api/records.ts";
import { copyText } from "../../ui/clipboard.ts";
import { complain } from "../../ui/complain.ts";
import { useKeys } from "../../ui/keys.ts";
import { useCurrentRow } from "../../ui/use-current-row.ts";

/** `c` and `e` on the row that the keys are on; with none, `c` takes the newest: the code one is waiting for. */
export const useInboxKeys = (
  shown: readonly Passcode[],
  selected: Passcode | undefined,
): { currentId: string | null; setCurrentId: (id: string) => void } => {
  const { current, currentId, setCurrentId } = useCurrentRow(shown, selected);
  useKeys({
    c: () => {
      const target = current ?? shown[0];
      return target === undefined ? false : copyText(target.code, "Code");
    },
    e: () => (current?.status === "active" ? expirePasscode(current.id).catch(complain) : false),
  });
  return { currentId, setCurrentId };
};
