import { Button, Kbd } from "@mantine/core";
import { useKeys } from "../../ui/keys.ts";
import { profilesWords, useDeletion } from "./deletion.ts";
import classes from "./strip.module.css";

/** What was deleted last: puts it back, and says what cannot come back. */
export const UndoStrip = () => {
  const { deleted, restore, forget } = useDeletion();
  const undo = (): unknown => (deleted === null || restore.isPending ? false : restore.mutate(deleted));
  useKeys({ u: undo });
  if (deleted === null) return null;
  return (
    <section className={classes.strip} aria-label="Last deletion">
      <p className={classes.words}>
        <strong>
          Deleted <bdi>{profilesWords(deleted.profiles)}</bdi>.
        </strong>{" "}
        Undo puts back ids, fields, test codes and connections, at the end of the list. Sessions and passcodes are gone
        for good.
      </p>
      <Button loading={restore.isPending} rightSection={<Kbd>u</Kbd>} onClick={undo}>
        Undo
      </Button>
      <Button variant="subtle" color="gray" className={classes.quiet ?? ""} onClick={forget}>
        Dismiss
      </Button>
    </section>
  );
};
