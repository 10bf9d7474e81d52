import { Button, Switch, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { addConnection } from "../../api/connections.ts";
import type { Connection } from "../../api/records.ts";
import { RequestFailed, wordsOf } from "../../api/request-failed.ts";
import { announce } from "../../ui/announcer.tsx";
import { AskDiscard } from "../../ui/ask-discard.tsx";
import type { DraftForm } from "../../ui/use-draft.ts";
import type { Draft } from "./connection-draft.ts";
import classes from "./connections.module.css";

interface ConnectionFieldsProps {
  /** Whose. */
  readonly user: { readonly appId: string; readonly userId: string };
  readonly form: DraftForm<Draft>;
  /** Whether the form was opened to be typed into; one that stands there from before takes the focus from nobody. */
  readonly autoFocus: boolean;
  readonly onAdded: (connection: Connection) => void;
  readonly onCancel: () => void;
}

/** The fields of a new connection. Asks before what was typed is thrown away. */
export const ConnectionFields = ({ user, form, autoFocus, onAdded, onCancel }: ConnectionFieldsProps) => {
  const { name, managed } = form.draft;
  const add = useMutation({
    mutationFn: () => addConnection(user.appId, user.userId, name.trim(), managed),
    onSuccess: (connection) => {
      announce(`Connected ${connection.name}`);
      form.drop();
      onAdded(connection);
    },
  });
  const ofName = add.error instanceof RequestFailed ? add.error.fields.name?.join(", ") : undefined;
  return (
    <form
      className={classes.fields}
      noValidate
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        form.leave(onCancel);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        form.keep();
        if (name.trim() !== "") add.mutate();
      }}
    >
      {form.found && <p className={classes.quiet}>You typed this before and did not save it.</p>}
      <TextInput
        label="Service"
        placeholder="calendar"
        autoComplete="off"
        autoFocus={autoFocus}
        error={ofName}
        value={name}
        onChange={(event) => form.change({ name: event.currentTarget.value })}
      />
      <Switch
        label="Managed by the service"
        description="Stays listed, as disabled, when the profile is deleted."
        checked={managed}
        onChange={(event) => form.change({ managed: event.currentTarget.checked })}
      />
      {add.isError && ofName === undefined && (
        <p role="alert" className={classes.error}>
          {wordsOf(add.error)}
        </p>
      )}
      {form.asking ? (
        <AskDiscard className={classes.ask} onDiscard={form.discard} onKeep={form.keep} />
      ) : (
        <div className={classes.buttons}>
          <Button type="submit" variant="filled" disabled={name.trim() === ""} loading={add.isPending}>
            Connect
          </Button>
          <Button variant="subtle" color="gray" onClick={() => form.leave(onCancel)}>
            Cancel
          </Button>
        </div>
      )}
    </form>
  );
};
