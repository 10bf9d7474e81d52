import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { removeConnection, setConnection } from "../../api/connections.ts";
import type { Connection } from "../../api/records.ts";
import { complain } from "../../ui/complain.ts";
import { ConfirmButton, useArmed } from "../../ui/confirm-button.tsx";
import classes from "./connections.module.css";

interface ConnectionActionsProps {
  readonly connection: Connection;
  /** Its profile is gone: there is nobody to connect again. */
  readonly orphan: boolean;
  readonly onRemoved?: () => void;
}

/** Disable or enable a connection, or remove it. */
export const ConnectionActions = ({ connection, orphan, onRemoved }: ConnectionActionsProps) => {
  const { id, status } = connection;
  const [armed, setArmed] = useArmed();
  const set = useMutation({
    mutationFn: (to: Connection["status"]) => setConnection(id, to),
    onError: complain,
  });
  const remove = useMutation({
    mutationFn: () => removeConnection(id),
    onSuccess: () => onRemoved?.(),
    onError: complain,
  });
  return (
    <div className={classes.actions}>
      {status === "connected" ? (
        <Button loading={set.isPending} onClick={() => set.mutate("disabled")}>
          Disable
        </Button>
      ) : (
        !orphan && (
          <Button loading={set.isPending} onClick={() => set.mutate("connected")}>
            Enable
          </Button>
        )
      )}
      <ConfirmButton
        label="Remove"
        question="Really remove?"
        loading={remove.isPending}
        armed={armed}
        onArm={setArmed}
        onConfirm={() => remove.mutate()}
      />
    </div>
  );
};
