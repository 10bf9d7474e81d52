/**
 * What a connection says of itself, and what can be done with it.
 */
import { Group } from "@mantine/core";
import type { Connection, Profile } from "#client/index.ts";
import { removeConnection, setConnection } from "../../api/actions.ts";
import { ActionButton } from "../../ui/action.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";

/** @returns what a connection is called; a fixture may leave its name empty. */
export const titleOf = ({ name }: Connection): string => (name.trim() === "" ? "(no name)" : name);

/** @returns who takes care of a connection. */
export const managedWords = ({ managed }: Connection): string => (managed ? "managed" : "not managed");

interface ConnectionProps {
  readonly connection: Connection;
  /** Null: it is gone; a deletion disables what the service manages. */
  readonly profile: Profile | null | undefined;
}

/** Whether it is connected. */
export const ConnectionState = ({ connection: { status, managed }, profile }: ConnectionProps) => (
  <StatusMark tone={status === "connected" ? "ok" : "quiet"}>
    {status === "connected" ? "Connected" : profile === null && managed ? "Disabled with its profile" : "Disabled"}
  </StatusMark>
);

/** Disables or enables a connection, or removes it. One whose profile is gone has nobody to be enabled for. */
export const ConnectionActions = ({
  connection: { id, name, status },
  profile,
  onRemoved,
}: ConnectionProps & { readonly onRemoved?: () => void }) => (
  <Group>
    {status === "connected" && <ActionButton label="Disable" act={() => setConnection(id, "disabled")} />}
    {status === "disabled" && profile !== null && (
      <ActionButton label="Enable" act={() => setConnection(id, "connected")} />
    )}
    <ActionButton
      label="Remove"
      ask={{ title: `Remove the connection ${name}?` }}
      act={() => removeConnection(id).then(onRemoved)}
    />
  </Group>
);
