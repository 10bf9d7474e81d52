import { Button } from "@mantine/core";
import { useState } from "react";
import type { Connection, Profile } from "../../api/records.ts";
import { DetailPanel } from "../../ui/detail-panel.tsx";
import { UserSearch } from "../../ui/user-search.tsx";
import { ConnectionFields } from "./connection-fields.tsx";
import classes from "./connections.module.css";

interface NewConnectionProps {
  /** Whose users can be chosen; null: of all apps. */
  readonly appId: string | null;
  readonly onAdded: (connection: Connection) => void;
  readonly onClose: () => void;
}

/** Chooses a profile and connects it. */
export const NewConnection = ({ appId, onAdded, onClose }: NewConnectionProps) => {
  const [user, setUser] = useState<Profile | null>(null);
  return (
    <DetailPanel label="New connection" onClose={onClose}>
      <h2 className={classes.heading}>New connection</h2>
      {user === null ? (
        <fieldset
          className={classes.whose}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            onClose();
          }}
        >
          <legend>Whose?</legend>
          <UserSearch appId={appId} disabled={false} onChoose={setUser} />
        </fieldset>
      ) : (
        <>
          <p className={classes.chosen}>
            <bdi>{user.name ?? user.phone ?? user.email ?? "No name"}</bdi>
            <Button onClick={() => setUser(null)}>Choose another</Button>
          </p>
          <ConnectionFields user={user} onAdded={onAdded} onCancel={onClose} />
        </>
      )}
    </DetailPanel>
  );
};
