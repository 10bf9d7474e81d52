/**
 * Adding a connection, and the connections of one user inside the detail of the profile.
 */
import { Button, Fieldset, Group, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Connection, Profile } from "#client/index.ts";
import { addConnection } from "../../api/actions.ts";
import { nameOf } from "../../api/profile.ts";
import { connectionsOfUserQuery } from "../../api/queries.ts";
import { announce } from "../../ui/announcer.tsx";
import { DetailPanel, DetailPart, PanelHead } from "../../ui/detail-panel.tsx";
import { AskDiscard, Form, type FormState, keepDrafts, useForm } from "../../ui/form.tsx";
import { Lines } from "../../ui/lines.tsx";
import { UserSearch } from "../../ui/user-search.tsx";
import { ConnectionActions, ConnectionState, managedWords, titleOf } from "./connection-parts.tsx";

interface Draft {
  /** Whose it will be; null: nobody is chosen yet. */
  readonly user: Pick<Profile, "appId" | "userId"> | null;
  /** How the user is called. */
  readonly userName: string;
  readonly name: string;
  readonly managed: boolean;
}

const drafts = keepDrafts<Draft>();
/** Who is chosen is found again soon, and no reason to ask. */
const sameDraft = (a: Draft, b: Draft): boolean => a.name.trim() === b.name.trim() && a.managed === b.managed;

const useConnectionForm = (id: string, user: Draft["user"], onAdded: (connection: Connection) => void) =>
  useForm({
    drafts,
    id,
    first: { user, userName: "", name: "", managed: true },
    same: sameDraft,
    save: ({ user: whose, name, managed }: Draft) =>
      addConnection({ appId: whose?.appId ?? "", userId: whose?.userId ?? "", name: name.trim(), managed }),
    onSaved: (connection) => {
      announce(`Connected ${connection.name}`);
      onAdded(connection);
    },
  });

interface FieldsProps {
  readonly form: FormState<Draft>;
  readonly autoFocus: boolean;
  readonly onClose: () => void;
}

const Fields = ({ form, autoFocus, onClose }: FieldsProps) => (
  <Form of={form} submit="Connect" disabled={form.draft.name.trim() === ""} onClose={onClose}>
    <TextInput label="Service" placeholder="calendar" autoFocus={autoFocus} {...form.text("name")} />
    <Switch
      label="Managed by the service"
      description="Stays listed as disabled when the profile is deleted."
      checked={form.draft.managed}
      onChange={(event) => form.change({ managed: event.currentTarget.checked })}
    />
  </Form>
);

interface NewConnectionProps {
  /** Whose users can be chosen; null: of all apps. */
  readonly appId: string | null;
  readonly onAdded: (connection: Connection) => void;
  readonly onClose: () => void;
}

/** Chooses a profile and connects it. */
export const NewConnection = ({ appId, onAdded, onClose }: NewConnectionProps) => {
  const form = useConnectionForm(`new ${appId ?? ""}`, null, onAdded);
  const leave = (): void => form.leave(onClose);
  return (
    <DetailPanel label="New connection" onClose={leave}>
      <PanelHead title="New connection" />
      {form.draft.user === null ? (
        <>
          <Fieldset
            legend="User"
            onKeyDown={(event) => {
              if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
              event.preventDefault();
              leave();
            }}
          >
            <UserSearch
              appId={appId}
              disabled={false}
              onChoose={(user) => form.change({ user, userName: nameOf(user) })}
            />
          </Fieldset>
          {form.asking && <AskDiscard onAnswer={form.answer} />}
        </>
      ) : (
        <>
          <Group justify="space-between" mb={16}>
            <bdi>{form.draft.userName}</bdi>
            <Button onClick={() => form.change({ user: null })}>Change user</Button>
          </Group>
          <Fields form={form} autoFocus onClose={onClose} />
        </>
      )}
    </DetailPanel>
  );
};

/** The connections of one user. */
export const ConnectionsOf = ({ appId, userId }: { readonly appId: string; readonly userId: string }) => {
  const list = useQuery(connectionsOfUserQuery(appId, userId)).data?.items;
  const close = (): void => setAdding(false);
  const form = useConnectionForm(`${appId} ${userId}`, { appId, userId }, close);
  const [adding, setAdding] = useState(form.found);
  if (list === undefined) return null;
  return (
    <DetailPart title="Connections">
      {list.length === 0 && <p className="dim">No connections.</p>}
      <Lines columns="minmax(0, 1fr) auto">
        {list.map((connection) => (
          <li key={connection.id}>
            <div>
              <strong>
                <bdi>{titleOf(connection)}</bdi>
              </strong>
              <p className="small">
                <ConnectionState connection={connection} profile={undefined} />, {managedWords(connection)}
              </p>
            </div>
            <ConnectionActions connection={connection} profile={undefined} />
          </li>
        ))}
      </Lines>
      {adding ? (
        <Fields form={form} autoFocus={!form.found} onClose={close} />
      ) : (
        <Button mt={8} onClick={() => setAdding(true)}>
          Add connection
        </Button>
      )}
    </DetailPart>
  );
};
