import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { Children, type ReactNode, useState } from "react";
import type { App, Profile } from "#client/index.ts";
import { type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { saveProfile } from "../../api/actions.ts";
import { keyOf } from "../../api/profile-pages.ts";
import { shownName } from "../../api/queries.ts";
import { SCENARIO_CHOICES } from "../../shared/fault/scenario-words.ts";
import { announce, TextButton, textField } from "../../ui/action.tsx";
import { Form, keepDrafts, useForm } from "../../ui/form.tsx";
import { DetailPanel } from "../../ui/screen.tsx";
import { AppSelect } from "../../ui/users.tsx";
import { changeOf, metadataErrors, type ProfileDraft, profileDraftOf } from "./profile-words.ts";

const isBlank = (draft: ProfileDraft): boolean => Object.values(draft).every((text) => text.trim() === "");

const drafts = keepDrafts<ProfileDraft>();

interface ProfileFormProps {
  readonly profile: Profile | null;
  readonly apps: readonly App[];
  readonly appId: string;
  readonly onSaved: (profile: Profile) => void;
  readonly onClose: () => void;
}

/** The form for creating or updating a profile. */
export const ProfileForm = ({ profile, apps, appId: firstApp, onSaved, onClose }: ProfileFormProps) => {
  const [appId, setAppId] = useState(profile?.appId ?? firstApp);
  const [saved, setSaved] = useState<string | null>(null);
  const own = usernameField(apps.find((app) => app.appId === appId) ?? { strategy: "phone" });
  const form = useForm({
    drafts,
    id: profile === null ? "new" : keyOf(profile),
    first: profileDraftOf(profile),
    check: (draft) => ({
      ...metadataErrors(draft),
      ...(profile === null && isBlank(draft) && { [own]: [`Enter the ${own} that the user signs in with`] }),
    }),
    save: (draft, base) => saveProfile(profile ?? { appId, userId: null }, changeOf(base, draft)),
    onSaved: (done, more) => {
      announce(`Saved ${shownName(done.name)}`);
      if (!more) return onSaved(done);
      setSaved(done.name ?? done.phone ?? done.email ?? "a profile without a name");
      const name = form.element.current?.elements.namedItem("name");
      if (name instanceof HTMLElement) name.focus();
    },
  });
  const username = (field: UsernameField): string | undefined =>
    field === own ? "Users of this app sign in with it. Without it, this one cannot." : undefined;
  const inputs: Readonly<Record<keyof ProfileDraft, ReactNode>> = {
    name: <TextInput label="Name" autoFocus {...form.text("name")} />,
    phone: (
      <TextInput
        type="tel"
        label="Phone"
        placeholder="+1 202 555 0100"
        description={username("phone")}
        classNames={{ input: "mono" }}
        {...form.text("phone")}
      />
    ),
    email: (
      <TextInput
        type="email"
        label="Email"
        placeholder="ada@example.com"
        description={username("email")}
        {...form.text("email")}
      />
    ),
    testPasscode: (
      <TextInput
        label="Fixed code"
        inputMode="numeric"
        description="Always works for this user, even if no code was requested. Leave blank for random codes."
        classNames={{ input: "mono" }}
        {...form.text("testPasscode")}
      />
    ),
    scenario: (
      <NativeSelect
        label="Scenario"
        description="A failure that this user gets at every sign-in. Kept across restarts."
        data={[
          { value: "", label: "None" },
          ...SCENARIO_CHOICES.map(([value, label]) => ({ value, label })),
          ...(form.draft.scenario === "custom" ? [{ value: "custom", label: "Custom fault" }] : []),
        ]}
        {...form.text("scenario")}
      />
    ),
    metadata: (
      <Textarea
        label="Metadata"
        description="A JSON object. snake_case keys are returned in camelCase."
        placeholder={'{ "plan": "pro" }'}
        autosize
        minRows={6}
        maxRows={18}
        spellCheck={false}
        classNames={{ input: "mono" }}
        {...form.text("metadata")}
        error={metadataErrors(form.draft)["metadata"] ?? form.text("metadata").error}
      />
    ),
  };
  const title = profile === null ? "New user" : `Edit ${shownName(profile.name)}`;
  return (
    <DetailPanel title={title} onClose={() => form.leave(onClose)}>
      <Form
        of={form}
        label={title}
        submit="Save"
        disabled={profile !== null && !form.dirty}
        keys
        onClose={onClose}
        more={
          profile === null && (
            <TextButton disabled={form.busy} onClick={() => form.submit(true)} label="Save and add another" />
          )
        }
      >
        {saved !== null && (
          <p className="dim" role="status">
            Saved <bdi>{saved}</bdi>.
          </p>
        )}
        {profile === null && apps.length > 1 && <AppSelect apps={apps} {...textField(appId, setAppId)} />}
        {Children.toArray(Object.values(inputs))}
      </Form>
    </DetailPanel>
  );
};
