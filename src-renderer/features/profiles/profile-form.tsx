import { Button, Kbd, NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { changeProfile, createProfile } from "../../api/profile-actions.ts";
import type { App, Profile } from "../../api/records.ts";
import { RequestFailed, wordsOf } from "../../api/request-failed.ts";
import { announce } from "../../ui/announcer.tsx";
import { AskDiscard } from "../../ui/ask-discard.tsx";
import { DetailPanel } from "../../ui/detail-panel.tsx";
import { changeOf, type Draft, draftOf, readMetadata, useDraft } from "./draft.ts";
import { MetadataField } from "./metadata-field.tsx";
import { PhoneField } from "./phone-field.tsx";
import classes from "./profile-form.module.css";
import { keyOf } from "./profile-place.ts";

interface ProfileFormProps {
  /** Null: a new one. */
  readonly profile: Profile | null;
  readonly apps: readonly App[];
  /** The app of a new profile. */
  readonly appId: string;
  readonly onSaved: (profile: Profile) => void;
  readonly onClose: () => void;
}

const SAVE_KEYS: string = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ Enter" : "Ctrl Enter";
const FIELDS = ["name", "phone", "email", "testPasscode", "metadata"] as const satisfies readonly (keyof Draft)[];

const faultsOf = (error: unknown, field: keyof Draft): string | undefined =>
  error instanceof RequestFailed ? error.fields[field]?.join(", ") : undefined;

/** What the server says that is of no field. */
const otherFault = (error: unknown): string | undefined => {
  if (error === null) return undefined;
  const ofField = FIELDS.some((field) => faultsOf(error, field) !== undefined);
  return ofField ? undefined : wordsOf(error);
};

/** Creates a profile, or changes one. What is wrong is said at its field, in the server's words. */
export const ProfileForm = ({ profile, apps, appId: firstApp, onSaved, onClose }: ProfileFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [appId, setAppId] = useState(profile?.appId ?? firstApp);
  const [asking, setAsking] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  const { base, draft, dirty, found, change, drop, restart } = useDraft(
    profile === null ? "new" : keyOf(profile),
    profile,
  );
  const strategy = apps.find((app) => app.appId === appId)?.strategy ?? "phone";
  const save = useMutation({
    mutationFn: (_: { readonly another: boolean }) => {
      const { change: fields, dropsKeys } = changeOf(base, draft);
      return profile === null ? createProfile(appId, fields) : changeProfile(profile, fields, dropsKeys);
    },
    onSuccess: (done, { another }) => {
      announce(`Saved ${done.name ?? "the profile"}`);
      restart(draftOf(null));
      if (!another) return onSaved(done);
      setSaved(done.name ?? done.phone ?? done.email ?? "a profile without a name");
      focusOn("name");
    },
  });
  const focusOn = (field: string): void => {
    const input = form.current?.elements.namedItem(field);
    if (input instanceof HTMLElement) input.focus();
  };
  const { error } = save;
  useEffect(() => {
    const wrong = FIELDS.find((field) => faultsOf(error, field) !== undefined);
    const input = wrong === undefined ? null : form.current?.elements.namedItem(wrong);
    if (input instanceof HTMLElement) input.focus();
  }, [error]);
  useEffect(() => focusFirst(form.current), []);

  const submit = (another: boolean): void => {
    if (save.isPending) return;
    setAsking(false);
    if ("fault" in readMetadata(draft.metadata)) focusOn("metadata");
    else save.mutate({ another });
  };
  const leave = (): void => {
    if (dirty) setAsking(true);
    else onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit(profile === null && event.shiftKey);
    }
  };
  const username = (field: "phone" | "email"): string | undefined =>
    field === strategy ? "The username in this app" : undefined;
  const title = profile === null ? "New profile" : `Edit ${profile.name ?? "profile"}`;
  const other = otherFault(error);

  return (
    <DetailPanel label={title} onClose={leave}>
      <form
        ref={form}
        noValidate
        aria-label={title}
        className={classes.form}
        onKeyDown={onKeyDown}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          submit(false);
        }}
      >
        <h2 className={classes.title}>
          <bdi>{title}</bdi>
        </h2>
        {saved !== null && (
          <p className={classes.note} role="status">
            Saved <bdi>{saved}</bdi>. Here is the next.
          </p>
        )}
        {found && dirty && <p className={classes.note}>You typed this before and did not save it.</p>}
        {profile === null && apps.length > 1 && (
          <NativeSelect
            label="App"
            data={apps.map((app) => ({ value: app.appId, label: app.name }))}
            value={appId}
            onChange={(event) => setAppId(event.currentTarget.value)}
          />
        )}
        <TextInput
          name="name"
          label="Name"
          autoComplete="off"
          error={faultsOf(error, "name")}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <PhoneField
          description={username("phone")}
          error={faultsOf(error, "phone")}
          value={draft.phone}
          onChange={(phone) => change({ phone })}
        />
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="off"
          placeholder="ada@example.com"
          description={username("email")}
          error={faultsOf(error, "email")}
          value={draft.email}
          onChange={(event) => change({ email: event.currentTarget.value })}
        />
        <TextInput
          name="testPasscode"
          label="Test code"
          inputMode="numeric"
          autoComplete="off"
          description="The code this user is sent, and that works even unsent. Empty: a random one each time."
          error={faultsOf(error, "testPasscode")}
          classNames={{ input: "mono" }}
          value={draft.testPasscode}
          onChange={(event) => change({ testPasscode: event.currentTarget.value })}
        />
        <MetadataField
          error={faultsOf(error, "metadata")}
          value={draft.metadata}
          onChange={(metadata) => change({ metadata })}
        />
        {other !== undefined && (
          <p role="alert" className={classes.error}>
            {other}
          </p>
        )}
        {asking ? (
          <AskDiscard
            className={classes.foot}
            onDiscard={() => {
              drop();
              onClose();
            }}
            onKeep={() => setAsking(false)}
          />
        ) : (
          <div className={classes.foot}>
            <Button
              type="submit"
              variant="filled"
              loading={save.isPending}
              disabled={profile !== null && !dirty}
              rightSection={<Kbd className={classes.key ?? ""}>{SAVE_KEYS}</Kbd>}
            >
              Save
            </Button>
            {profile === null && (
              <Button disabled={save.isPending} onClick={() => submit(true)}>
                Save and create another
              </Button>
            )}
            <Button variant="subtle" color="gray" onClick={leave}>
              Cancel
            </Button>
          </div>
        )}
      </form>
    </DetailPanel>
  );
};

const focusFirst = (form: HTMLFormElement | null): void => {
  const input = form?.elements.namedItem("name");
  if (input instanceof HTMLElement) input.focus();
};
