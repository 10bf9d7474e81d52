import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { deleteApp } from "../../api/app-actions.ts";
import type { App } from "../../api/records.ts";
import { announce } from "../../ui/announcer.tsx";
import { complain } from "../../ui/complain.ts";
import { DetailPart } from "../../ui/detail-panel.tsx";
import classes from "./secret-part.module.css";

/** Deletes an app, once its id was typed. */
export const DeletePart = ({ app, onDeleted }: { readonly app: App; readonly onDeleted: () => void }) => {
  const [typed, setTyped] = useState("");
  const remove = useMutation({
    mutationFn: () => deleteApp(app.appId),
    onSuccess: () => {
      announce(`${app.name} deleted`);
      onDeleted();
    },
    onError: complain,
  });
  const { profiles, sessions } = app.counts;
  return (
    <DetailPart title="Delete">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === app.appId) remove.mutate();
        }}
      >
        <TextInput
          label={`Type ${app.appId} to delete the app`}
          description={`Its profiles (${profiles}), passcodes and sessions (${sessions}) go with it. This cannot be undone.`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className={`${classes.buttons} ${classes.below}`}>
          <Button type="submit" color="red" variant="light" disabled={typed !== app.appId} loading={remove.isPending}>
            Delete this app
          </Button>
        </div>
      </form>
    </DetailPart>
  );
};
