import { Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Profile } from "#client/index.ts";
import { saveProfile } from "../../api/actions.ts";
import { explain, fieldsOf } from "../../api/emulator.ts";
import { nameOf, useProfile } from "../../api/queries.ts";
import { closeDialog, onSubmit, openDialog, TextButton, textField } from "../../ui/action.tsx";

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
