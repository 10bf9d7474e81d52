import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createApp } from "../../api/app-actions.ts";
import type { App } from "../../api/records.ts";
import { RequestFailed, wordsOf } from "../../api/request-failed.ts";
import { AskDiscard } from "../../ui/ask-discard.tsx";
import { DetailPanel } from "../../ui/detail-panel.tsx";
import classes from "./app-detail.module.css";

interface NewAppProps {
  readonly onClose: () => void;
  readonly onMade: (app: App) => void;
}

const FIELDS = ["name", "appId", "secret"] as const;

/** Makes an app; all that is left empty is made by the server. Asks before what was typed is thrown away. */
export const NewApp = ({ onClose, onMade }: NewAppProps) => {
  const client = useQueryClient();
  const [typed, setTyped] = useState({ name: "", appId: "", secret: "" });
  const [strategy, setStrategy] = useState("phone");
  const [asking, setAsking] = useState(false);
  const make = useMutation({
    mutationFn: () => {
      const given = FIELDS.flatMap((field) => (typed[field] === "" ? [] : [[field, typed[field]] as const]));
      return createApp({ ...Object.fromEntries(given), strategy });
    },
    onSuccess: async (app) => {
      await client.invalidateQueries({ queryKey: ["apps"] });
      onMade(app);
    },
  });
  const leave = (): void => {
    if (FIELDS.some((field) => typed[field] !== "")) setAsking(true);
    else onClose();
  };
  const faults = make.error instanceof RequestFailed ? make.error.fields : {};
  const field = (name: (typeof FIELDS)[number], label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      error={faults[name]?.join(", ") ?? null}
      autoComplete="off"
      value={typed[name]}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setTyped((before) => ({ ...before, [name]: value }));
      }}
    />
  );
  return (
    <DetailPanel wide label="New app" onClose={leave}>
      <h2 className={classes.heading}>New app</h2>
      <form
        className={classes.new}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          leave();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          setAsking(false);
          make.mutate();
        }}
      >
        {field("name", "Name", "What people call it; the app id if left empty.")}
        <NativeSelect
          label="Strategy"
          description="The field that is the username."
          error={faults.strategy?.join(", ") ?? null}
          data={["phone", "email"]}
          value={strategy}
          onChange={(event) => setStrategy(event.currentTarget.value)}
        />
        {field("appId", "App id", "What its clients send; made if left empty.")}
        {field("secret", "Secret", "What its backend sends; made if left empty.")}
        {make.isError && Object.keys(faults).length === 0 && (
          <p role="alert" className={classes.alert}>
            {wordsOf(make.error)}
          </p>
        )}
        {asking ? (
          <AskDiscard className={classes.ask} onDiscard={onClose} onKeep={() => setAsking(false)} />
        ) : (
          <div>
            <Button type="submit" variant="filled" loading={make.isPending}>
              Create app
            </Button>
          </div>
        )}
      </form>
    </DetailPanel>
  );
};
