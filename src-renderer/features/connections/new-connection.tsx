import { Button } from "@mantine/core";
import type { Connection } from "../../api/records.ts";
import { AskDiscard } from "../../ui/ask-discard.tsx";
import { DetailPanel } from "../../ui/detail-panel.tsx";
import { UserSearch } from "../../ui/user-search.tsx";
import { useConnectionDraft } from "./connection-draft.ts";
import { ConnectionFields } from "./connection-fields.tsx";
import classes from "./connections.module.css";

interface NewConnectionProps {
  /** Whose users can be chosen; null: of all apps. */
  readonly appId: string | null;
  readonly onAdded: (connection: Connection) => void;
  readonly onClose: () => void;
}

/** Chooses a profile and connects it. Asks before what was typed is thrown away. */
export const NewConnection = ({ appId, onAdded, onClose }: NewConnectionProps) => {
  const form = useConnectionDraft(`new ${appId ?? ""}`);
  const { user } = form.draft;
  const leave = (): void => form.leave(onClose);
  return (
    <DetailPanel label="New connection" onClose={leave}>
      <h2 className={classes.heading}>New connection</h2>
      {user === null ? (
        <>
          <fieldset
            className={classes.whose}
            onKeyDown={(event) => {
              if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
              event.preventDefault();
              leave();
            }}
          >
            <legend>Whose?</legend>
            <UserSearch appId={appId} disabled={false} onChoose={(chosen) => form.change({ user: chosen })} />
          </fieldset>
          {form.asking && <AskDiscard className={classes.ask} onDiscard={form.discard} onKeep={form.keep} />}
        </>
      ) : (
        <>
          <p className={classes.chosen}>
            <bdi>{user.name ?? user.phone ?? user.email ?? "No name"}</bdi>
            <Button onClick={() => form.change({ user: null })}>Choose another</Button>
          </p>
          <ConnectionFields user={user} form={form} autoFocus onAdded={onAdded} onCancel={onClose} />
        </>
      )}
    </DetailPanel>
  );
};
