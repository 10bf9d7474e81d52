/** Parts of the inbox that load after its first view. */
import { Group, Stack, TextInput } from "@mantine/core";
import { useThrottledValue } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { App, Passcode, Profile } from "#client/index.ts";
import { type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { phoneValue } from "#contract/words/phone-words.ts";
import { requestPasscode, saveProfile } from "../../api/actions.ts";
import { explain, fieldsOf } from "../../api/emulator.ts";
import { useLiveList } from "../../api/live-list.ts";
import { nameOf, passcodeList, requestsQuery, useApps, useProfile } from "../../api/queries.ts";
import { ActionButton, closeDialog, onSubmit, openDialog, TextButton, textField, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { UserSearch } from "../../ui/users.tsx";
import { AdvicePart } from "../requests/advice-part.tsx";
import { storiesOf } from "../requests/stories.ts";
import { StorySteps } from "../requests/story-steps.tsx";

const MOST = 200;
/** Limits the requests in a burst of codes for different users. */
const PAUSE_MS = 300;

/** The requests of a passcode's login, live. @param end the last line. */
export const Login = (props: { readonly passcode: Passcode; readonly end: string }) => {
  const { appId, userId, id } = useThrottledValue(props.passcode, PAUSE_MS);
  const { hrefTo } = useAddress();
  const { data, isPlaceholderData } = useQuery(requestsQuery({ appId, userId }, MOST));
  const passcodes = useLiveList(passcodeList, appId, false).data?.items.filter((one) => one.userId === userId) ?? [];
  const rows = isPlaceholderData || data === undefined ? [] : data.items;
  const of = passcodes.some((one) => one.id === id) || props.passcode.id !== id ? passcodes : [props.passcode];
  const story = storiesOf(rows, of).find((one) => one.passcodes.some((passcode) => passcode.id === id));
  if (story === undefined) return null;
  const failed = (story.rows.at(-1)?.status ?? 0) >= 400;
  const advised = failed ? story.rows.slice(-1) : story.rows.filter(({ status }) => status < 400);
  return (
    <>
      <StorySteps story={story} end={props.end} />
      <AdvicePart rows={advised} failed={failed} />
      {rows.length > 0 && (
        <Link className="link small" href={hrefTo("requests", { id: story.id, show: "logins" })}>
          View login
        </Link>
      )}
    </>
  );
};

const READ: Readonly<Record<UsernameField, (text: string) => RegExpExecArray | null>> = {
  phone: (text) => /^\+\d{7,15}$/.exec(phoneValue(text)),
  email: (text) => /^[^\s@]+@[^\s@]+$/.exec(text),
};

/** @returns a typed username of the app; undefined if it does not look like one. The server validates it. */
const usernameIn = (text: string, app: App): string | undefined => READ[usernameField(app)](text.trim())?.[0];

/** A user picker, with an option to create a user if none matches. */
export const Recipients = () => {
  const { address, go } = useAddress();
  const { apps } = useApps();
  const send = useAction(async ({ appId, userId }: Profile) => {
    await requestPasscode(appId, userId);
    closeDialog();
    go({ screen: "inbox", id: null, app: address.app === null ? null : appId, show: null, q: "" });
  });
  const create = async (app: App, username: string): Promise<unknown> =>
    send.run(await saveProfile({ appId: app.appId, userId: null }, { [usernameField(app)]: username }));
  return (
    <UserSearch
      appId={address.app}
      disabled={send.busy}
      onChoose={send.run}
      none={(text) => (
        <Stack mt={8} align="start">
          {apps.map((app) => {
            const username = address.app === null || app.appId === address.app ? usernameIn(text, app) : undefined;
            return (
              username !== undefined && (
                <ActionButton
                  key={app.appId}
                  variant="filled"
                  label={`Create ${username} in ${app.name} and send`}
                  act={() => create(app, username)}
                />
              )
            );
          })}
        </Stack>
      )}
    />
  );
};

const TestCode = ({ profile: { appId, userId }, suggested }: { readonly profile: Profile; suggested: string }) => {
  const fixed = useProfile(appId, userId)?.testPasscode ?? null;
  const [typed, setTyped] = useState(fixed ?? suggested);
  const set = useMutation({
    mutationFn: (code: string | null) => saveProfile({ appId, userId }, { testPasscode: code }),
    onSuccess: closeDialog,
  });
  const fault = set.isError ? (fieldsOf(set.error)["testPasscode"]?.join(", ") ?? explain(set.error)) : null;
  return (
    <form {...onSubmit(() => set.mutate(typed))}>
      <TextInput
        data-autofocus
        label="Fixed code"
        description="Sent to this user every time. It works even if no code was requested."
        classNames={{ input: "mono" }}
        inputMode="numeric"
        error={fault}
        {...textField(typed, setTyped)}
      />
      <Group mt={12}>
        <TextButton type="submit" variant="filled" loading={set.isPending} label="Save" />
        {fixed !== null && <TextButton loading={set.isPending} onClick={() => set.mutate(null)} label="Clear" />}
      </Group>
    </form>
  );
};

/** Sets or clears the fixed code of a user. @param suggested the initial value for a user without one. */
export const openTestCode = (profile: Profile, suggested: string): void =>
  openDialog(`Fixed code of ${nameOf(profile)}`, <TestCode profile={profile} suggested={suggested} />);
