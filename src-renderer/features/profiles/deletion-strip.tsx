import { UndoStrip } from "../../ui/undo-strip.tsx";
import { profilesWords, useDeletion } from "./deletion.ts";

/** What was deleted last: puts it back, and says what cannot come back. */
export const DeletionStrip = () => {
  const { deleted, restore, forget } = useDeletion();
  if (deleted === null) return null;
  return (
    <UndoStrip
      label="Last deletion"
      done={
        <>
          Deleted <bdi>{profilesWords(deleted.profiles)}</bdi>.
        </>
      }
      pending={restore.isPending}
      onUndo={() => restore.mutate(deleted)}
      onDismiss={forget}
    >
      Undo puts back ids, fields, test codes and connections, at the end of the list. Sessions and passcodes are gone
      for good.
    </UndoStrip>
  );
};
