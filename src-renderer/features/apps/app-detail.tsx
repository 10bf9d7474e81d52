/**
 * One app, and a new one.
 */
import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { App } from "#client/index.ts";
import { createApp, renewSecret } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { ActionButton, useAction } from "../../ui/action.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DetailPanel, DetailPart, PanelHead } from "../../ui/detail-panel.tsx";
import { Form, keepDrafts, useForm } from "../../ui/form.tsx";
import { Secret } from "./secret.tsx";
import { SettingsForm, STRATEGIES, useSettingsForm } from "./settings-form.tsx";

/** Deletes an app, once its id was typed. */
const DeletePart = ({ app, onDeleted }: { readonly app: App; readonly onDeleted: () => void }) => {
  const [typed, setTyped] = useState("");
  const remove = useAction(() => emulator.apps.delete(app.appId).then(onDeleted), `Deleted ${app.name}`);
  const { profiles, sessions } = app.counts;
  return (
    <DetailPart title="Delete">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === app.appId) remove.run();
        }}
      >
        <TextInput
          label={`Type ${app.appId} to delete the app`}
          description={`Also deletes its profiles (${profiles}), passcodes and sessions (${sessions}). This cannot be undone.`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button mt={8} type="submit" color="red" variant="light" disabled={typed !== app.appId} loading={remove.busy}>
          Delete app
        </Button>
      </form>
    </DetailPart>
  );
};

/** One app: its keys, and a form of all that can be set. */
export const AppDetail = ({ app, onClose }: { readonly app: App; readonly onClose: () => void }) => {
  const form = useSettingsForm(app);
  return (
    <DetailPanel wide label={`App ${app.name}`} onClose={() => form.leave(onClose)}>
      <PanelHead
        title={app.name}
        sub={
          <Group>
            <span className="mono">{app.appId}</span>
            <CopyButton text={app.appId} what="App id" />
          </Group>
        }
      />
      <DetailPart title="Secret, for the app’s backend">
        <Secret secret={app.secret}>
          <ActionButton
            label="Renew"
            ask={{ title: "Generate a new secret?", words: "The old one stops working at once." }}
            act={() => renewSecret(app.appId)}
            says="Secret renewed"
          />
        </Secret>
      </DetailPart>
      <SettingsForm app={app} form={form} onClose={onClose} />
      <DeletePart app={app} onDeleted={() => form.answer(true)} />
    </DetailPanel>
  );
};

interface NewAppDraft {
  readonly name: string;
  readonly appId: string;
  readonly secret: string;
  readonly strategy: string;
}

const FIELDS = ["name", "appId", "secret", "strategy"] as const;
const drafts = keepDrafts<NewAppDraft>();

interface NewAppProps {
  readonly onClose: () => void;
  readonly onMade: (app: App) => void;
}

/** Creates an app; the server generates what is left blank. */
export const NewApp = ({ onClose, onMade }: NewAppProps) => {
  const form = useForm({
    drafts,
    id: "new",
    first: { name: "", appId: "", secret: "", strategy: "phone" },
    save: (draft) =>
      createApp(Object.fromEntries(FIELDS.flatMap((field) => (draft[field] === "" ? [] : [[field, draft[field]]])))),
    onSaved: onMade,
  });
  return (
    <DetailPanel wide label="New app" onClose={() => form.leave(onClose)}>
      <PanelHead title="New app" />
      <Form of={form} submit="Create app" onClose={onClose}>
        <TextInput
          label="Name"
          description="Shown to people. Same as the app id if blank."
          autoFocus
          {...form.text("name")}
        />
        <NativeSelect
          label="Strategy"
          description="The field that users sign in with."
          data={[...STRATEGIES]}
          {...form.text("strategy")}
        />
        <TextInput label="App id" description="Sent by clients. Generated if blank." {...form.text("appId")} />
        <TextInput label="Secret" description="Sent by the backend. Generated if blank." {...form.text("secret")} />
      </Form>
    </DetailPanel>
  );
};
