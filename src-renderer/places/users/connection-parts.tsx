import { Box, Button, Fieldset, Group, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { Connection, Profile } from "#client/index.ts";
import { addConnection, removeConnection, setConnection } from "../../api/actions.ts";
import { connectionsOfUserQuery, shownName, useUser } from "../../api/queries.ts";
import { ActionButton, announce, askFirst, complain, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { AskDiscard, Form, type FormState, keepDrafts, useForm } from "../../ui/form.tsx";
import { Facts, LinkLines, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import type { RowAction } from "../../ui/row-actions.tsx";
import { DetailPanel } from "../../ui/screen.tsx";
import { UserSearch } from "../../ui/users.tsx";

/** @returns the display name of a connection; fixtures can leave it empty. */
export const titleOf = ({ name }: Connection): string => (name.trim() === "" ? "(no name)" : name);

interface Closing {
  readonly onClose: () => void;
}

interface ConnectionProps {
  readonly connection: Connection;
  /** Null if deleted, which disables managed connections. */
  readonly profile: Profile | null | undefined;
}

/** The status of a connection. */
export const ConnectionState = ({ connection: { status, managed }, profile }: ConnectionProps) => (
  <StatusMark tone={status === "connected" ? "ok" : "quiet"}>
    {status === "connected" ? "Connected" : profile === null && managed ? "Disabled with its profile" : "Disabled"}
  </StatusMark>
);

/** @returns what can be done with a connection. Without its profile it cannot be enabled. */
export const connectionActions = (
  connection: Connection,
  profile: Profile | null | undefined,
  onRemoved?: () => void,
): readonly [RowAction, ...RowAction[]] => {
  const { id, status } = connection;
  const title = titleOf(connection);
  const [label, next] =
    status === "connected" ? (["Disable", "disabled"] as const) : (["Enable", "connected"] as const);
  const remove = (): void =>
    askFirst({
      title: `Remove the connection ${title}?`,
      label: "Remove",
      onConfirm: () => void removeConnection(id).then(onRemoved).catch(complain),
    });
  return [
    {
      label,
      name: `${label} the connection ${title}`,
      disabled: label === "Enable" && profile === null,
      act: () => setConnection(id, next),
    },
    { label: "Remove", name: `Remove the connection ${title}`, act: remove },
  ];
};

/** One connection: user, dates, and actions. */
export const ConnectionDetail = ({ connection, onClose }: Pick<ConnectionProps, "connection"> & Closing) => {
  const { id, appId, userId, managed, createdAt, disabledAt } = connection;
  const { profile, name, appName } = useUser(connection);
  const { hrefTo } = useAddress();
  const title = titleOf(connection);
  const state = <ConnectionState connection={connection} profile={profile} />;
  return (
    <DetailPanel label={`Connection ${title}`} title={title} sub={state} onClose={onClose}>
      <Group>
        {connectionActions(connection, profile, onClose).map(({ label, act, disabled = false }) => (
          <ActionButton key={label} label={label} disabled={disabled} act={async () => await act()} />
        ))}
      </Group>
      <Box mt={16}>
        <Facts
          names={116}
          ruled
          of={{
            Profile:
              profile === null ? (
                <span className="mono">deleted, {userId}</span>
              ) : (
                <Link className="link" href={hrefTo("users", { id: userId, app: appId })}>
                  <bdi>{name}</bdi>
                </Link>
              ),
            App: <bdi>{appName}</bdi>,
            Managed: managed ? "Yes" : "No",
            Created: <RelativeTime instant={createdAt} appId={appId} />,
            Disabled: disabledAt !== null && <RelativeTime instant={disabledAt} appId={appId} />,
            Id: <span className="mono">{id}</span>,
          }}
        />
      </Box>
    </DetailPanel>
  );
};

interface ConnectionDraft extends Pick<Connection, "name" | "managed"> {
  /** The user; null until one is chosen. */
  readonly user: (Pick<Profile, "appId" | "userId"> & { readonly name?: string | null }) | null;
}

const drafts = keepDrafts<ConnectionDraft>();

const useConnectionForm = (id: string, user: ConnectionDraft["user"], onAdded: (connection: Connection) => void) =>
  useForm({
    drafts,
    id,
    first: { user, name: "", managed: true },
    // A chosen user is quickly chosen again.
    same: (a, b) => a.name.trim() === b.name.trim() && a.managed === b.managed,
    save: ({ user: whose, name, managed }: ConnectionDraft) =>
      addConnection({ appId: whose?.appId ?? "", userId: whose?.userId ?? "", name: name.trim(), managed }),
    onSaved: (connection) => {
      announce(`Connected ${connection.name}`);
      onAdded(connection);
    },
  });

interface FieldsProps extends Closing {
  readonly form: FormState<ConnectionDraft>;
  readonly autoFocus: boolean;
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

interface NewConnectionProps extends Closing {
  readonly appId: string | null;
  readonly onAdded: (connection: Connection) => void;
}

/** Creates a connection for a chosen profile. */
export const NewConnection = ({ appId, onAdded, onClose }: NewConnectionProps) => {
  const form = useConnectionForm(`new ${appId ?? ""}`, null, onAdded);
  const leave = (): void => form.leave(onClose);
  return (
    <DetailPanel title="New connection" onClose={leave}>
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
            <UserSearch appId={appId} disabled={false} onChoose={(user) => form.change({ user })} />
          </Fieldset>
          {form.asking && <AskDiscard onAnswer={form.answer} />}
        </>
      ) : (
        <>
          <Group justify="space-between" mb={16}>
            <bdi>{shownName(form.draft.user.name)}</bdi>
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
  const { hrefTo } = useAddress();
  if (list === undefined) return null;
  return (
    <>
      {list.length === 0 && <p className="dim">No connections yet.</p>}
      <LinkLines>
        {list.map((connection) => (
          <li key={connection.id}>
            <Link href={hrefTo("users/connections", { id: connection.id, app: appId })}>
              <bdi>{titleOf(connection)}</bdi>
              <ConnectionState connection={connection} profile={undefined} />
            </Link>
          </li>
        ))}
      </LinkLines>
      {adding ? (
        <Fields form={form} autoFocus={!form.found} onClose={close} />
      ) : (
        <TextButton mt={8} onClick={() => setAdding(true)} label="Add connection" />
      )}
    </>
  );
};
