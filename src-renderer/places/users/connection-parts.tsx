import { Box, Group, Stack, Switch, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { Connection, Profile } from "#client/index.ts";
import { addConnection, removeConnection, setConnection } from "../../api/actions.ts";
import { connectionsOfUserQuery, useUser } from "../../api/queries.ts";
import {
  ActionButton,
  announce,
  askFirst,
  closeDialog,
  complain,
  onSubmit,
  openDialog,
  TextButton,
  useTexts,
} from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Facts, LinkLines, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import type { RowAction } from "../../ui/row-actions.tsx";
import { DetailPanel, Wrong } from "../../ui/screen.tsx";
import { UserSearch } from "../../ui/users.tsx";

/** @returns the display name of a connection; fixtures can leave it empty. */
export const titleOf = ({ name }: Connection): string => (name.trim() === "" ? "(no name)" : name);

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

interface ConnectionDetailProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** One connection: user, dates, and actions. */
export const ConnectionDetail = ({ connection, onClose }: ConnectionDetailProps) => {
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

interface NewConnectionProps {
  readonly appId: string | null;
  /** The user; null: to be chosen. */
  readonly user: Pick<Profile, "appId" | "userId"> | null;
  readonly onAdded: (connection: Connection) => void;
}

const NewConnection = ({ appId, user: first, onAdded }: NewConnectionProps) => {
  const [user, setUser] = useState(first);
  const [managed, setManaged] = useState(true);
  const [{ name }, field] = useTexts({ name: "" });
  const add = useMutation({
    mutationFn: (of: Pick<Profile, "appId" | "userId">) =>
      addConnection({ appId: of.appId, userId: of.userId, name: name.trim(), managed }),
    onSuccess: (connection) => {
      closeDialog();
      announce(`Connected ${connection.name}`);
      onAdded(connection);
    },
  });
  if (user === null) return <UserSearch appId={appId} disabled={false} onChoose={setUser} />;
  return (
    <form {...onSubmit(() => name.trim() !== "" && add.mutate(user))}>
      <Stack>
        <TextInput label="Service" placeholder="calendar" autoFocus {...field("name")} />
        <Switch
          label="Managed by the service"
          description="Stays listed as disabled when the profile is deleted."
          checked={managed}
          onChange={(event) => setManaged(event.currentTarget.checked)}
        />
        <Wrong error={add.error} />
        <Group>
          <TextButton
            type="submit"
            variant="filled"
            disabled={name.trim() === ""}
            loading={add.isPending}
            label="Connect"
          />
        </Group>
      </Stack>
    </form>
  );
};

/** Creates a connection for a user. */
export const openNewConnection = (props: NewConnectionProps): void =>
  openDialog("New connection", <NewConnection {...props} />);

/** The connections of one user. */
export const ConnectionsOf = ({ appId, userId }: { readonly appId: string; readonly userId: string }) => {
  const list = useQuery(connectionsOfUserQuery(appId, userId)).data?.items;
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
      <TextButton
        mt={8}
        onClick={() => openNewConnection({ appId, user: { appId, userId }, onAdded: () => undefined })}
        label="Add connection"
      />
    </>
  );
};
