import { Button, Switch, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { addConnection } from "../../api/connections.ts";
import type { Connection } from "../../api/records.ts";
import { RequestFailed, wordsOf } from "../../api/request-failed.ts";
import { announce } from "../../ui/announcer.tsx";
import classes from "./connections.module.css";

interface ConnectionFieldsProps {
  /** Whose; null: nobody is chosen yet. */
  readonly user: { readonly appId: string; readonly userId: string } | null;
  readonly onAdded: (connection: Connection) => void;
  readonly onCancel?: () => void;
}

/** The fields of a new connection. */
export const ConnectionFields = ({ user, onAdded, onCancel }: ConnectionFieldsProps) => {
  const [name, setName] = useState("");
  const [managed, setManaged] = useState(true);
  const add = useMutation({
    mutationFn: ({ appId, userId }: NonNullable<typeof user>) => addConnection(appId, userId, name.trim(), managed),
    onSuccess: (connection) => {
      announce(`Connected ${connection.name}`);
      setName("");
      onAdded(connection);
    },
  });
  const ofName = add.error instanceof RequestFailed ? add.error.fields.name?.join(", ") : undefined;
  return (
    <form
      className={classes.fields}
      noValidate
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing || onCancel === undefined) return;
        event.preventDefault();
        onCancel();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (user !== null && name.trim() !== "") add.mutate(user);
      }}
    >
      <TextInput
        label="Service"
        placeholder="calendar"
        autoComplete="off"
        autoFocus={onCancel !== undefined}
        error={ofName}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Switch
        label="Managed by the service"
        description="Stays listed, as disabled, when the profile is deleted."
        checked={managed}
        onChange={(event) => setManaged(event.currentTarget.checked)}
      />
      {add.isError && ofName === undefined && (
        <p role="alert" className={classes.error}>
          {wordsOf(add.error)}
        </p>
      )}
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" disabled={user === null || name.trim() === ""} loading={add.isPending}>
          Connect
        </Button>
        {onCancel && (
          <Button variant="subtle" color="gray" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
};
