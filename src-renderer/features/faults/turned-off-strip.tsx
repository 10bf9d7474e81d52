import { UndoStrip } from "../../ui/undo-strip.tsx";
import { faultsWords, useTurningOff } from "./turning-off.ts";

/** What was turned off last: sets it again. */
export const TurnedOffStrip = () => {
  const { turnedOff, undo, forget } = useTurningOff();
  if (turnedOff === null) return null;
  const counted = turnedOff.some(({ times }) => times !== null);
  return (
    <UndoStrip
      label="Last turned off"
      done={<>Turned off: {faultsWords(turnedOff)}.</>}
      pending={undo.isPending}
      onUndo={() => undo.mutate(turnedOff)}
      onDismiss={forget}
    >
      Undo sets {turnedOff.length === 1 ? "it" : "them"} again, behind the others
      {counted ? ", for the requests that were left." : "; the counter begins anew."}
    </UndoStrip>
  );
};
