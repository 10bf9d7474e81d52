import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { connectionsOfUserQuery } from "../../api/connections.ts";
import { DetailPart } from "../../ui/detail-panel.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { ConnectionActions } from "./connection-actions.tsx";
import { useConnectionDraft } from "./connection-draft.ts";
import { ConnectionFields } from "./connection-fields.tsx";
import { managedWords, statusWords, titleOf } from "./connection-words.ts";
import classes from "./connections.module.css";

/** The connections of one user, inside the detail of the profile. */
export const ConnectionsOf = ({ appId, userId }: { readonly appId: string; readonly userId: string }) => {
  const list = useQuery(connectionsOfUserQuery(appId, userId)).data?.items;
  const form = useConnectionDraft(`${appId} ${userId}`);
  const [adding, setAdding] = useState(form.found);
  if (list === undefined) return null;
  return (
    <DetailPart title="Connections">
      {list.length === 0 && <p className={classes.quiet}>None.</p>}
      <ul>
        {list.map((connection) => (
          <li key={connection.id} className={classes.own}>
            <div className={classes.what}>
              <bdi className={classes.title}>{titleOf(connection)}</bdi>
              <span className={classes.small}>
                <StatusMark tone={connection.status === "connected" ? "ok" : "quiet"}>
                  {statusWords(connection, undefined)}
                </StatusMark>
                , {managedWords(connection)}
              </span>
            </div>
            <ConnectionActions connection={connection} orphan={false} />
          </li>
        ))}
      </ul>
      {adding ? (
        <ConnectionFields
          user={{ appId, userId }}
          form={form}
          autoFocus={!form.found}
          onAdded={() => setAdding(false)}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <Button className={classes.add ?? ""} onClick={() => setAdding(true)}>
          Add a connection
        </Button>
      )}
    </DetailPart>
  );
};
