import { Button, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ReplayInput, RequestRow } from "#client/index.ts";
import { useAction } from "../../ui/action.tsx";
import { closeDialog } from "../../ui/dialogs.tsx";
import { changeOf, draftOf, METHODS } from "./resend-draft.ts";

interface ResendFormProps {
  readonly row: RequestRow;
  readonly onSend: (change: ReplayInput) => Promise<unknown>;
}

/** A request of the log, to be changed and sent again. */
export const ResendForm = ({ row, onSend }: ResendFormProps) => {
  const [first] = useState(() => draftOf(row));
  const [draft, setDraft] = useState(first);
  const { busy, run } = useAction(async () => {
    await onSend(changeOf(first, draft));
    closeDialog();
  });
  const field = (name: keyof typeof first) => ({
    value: draft[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setDraft((now) => ({ ...now, [name]: value }));
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <Stack>
        <NativeSelect label="Method" data={[...METHODS]} {...field("method")} />
        <TextInput label="Path" data-autofocus classNames={{ input: "mono" }} {...field("path")} />
        <Textarea
          label="Headers"
          description="One a line. Secrets are sent as they came, unless changed."
          classNames={{ input: "mono" }}
          rows={4}
          {...field("headers")}
        />
        <Textarea label="Body" classNames={{ input: "mono" }} rows={6} {...field("body")} />
        <Button type="submit" variant="filled" loading={busy}>
          Send
        </Button>
      </Stack>
    </form>
  );
};
